import { Badge, Button, Loader } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useHere } from '../../../parts/account.tsx';
import { PendingBubble } from '../bubble/pending-bubble.tsx';
import type { Message } from '../types.ts';
import type { Outbox, Pending } from '../use-outbox.ts';
import type { PhoneContent } from '../use-phone.ts';
import { chunksOf } from './message-chunks.tsx';
import classes from './message-list.module.css';

interface MessageListProps {
  messages: Message[];
  pending: Pending[];
  from: string;
  direct?: boolean;
  outbox: Outbox;
  list: PhoneContent['list'];
}

const nearEndPx = 60;

/**
 * The messages of a thread. The box is filled from its end (`column-reverse`), so that it stays at the latest message by itself,
 * and older ones that come on top move nothing. What is out of sight is not drawn (`content-visibility`).
 */
export function MessageList({ messages, pending, from, direct = false, outbox, list }: MessageListProps) {
  const { timeZone } = useHere();
  const box = useRef<HTMLElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const lastUuid = messages.at(-1)?.uuid ?? '';
  const seenUuid = useRef(lastUuid);
  if (atEnd) seenUuid.current = lastUuid;
  const fresh = atEnd ? 0 : countAfter(messages, seenUuid.current);
  const toEnd = () => box.current?.scrollTo({ top: 0 });
  const sent = pending.length;
  useEffect(() => {
    if (sent > 0) box.current?.scrollTo({ top: 0 });
  }, [sent]);
  // A thousand of them are not looked at again because something else changed.
  const bubbles = useMemo(() => chunksOf(messages, { from, timeZone, direct }), [messages, from, timeZone, direct]);
  const onScroll = () => setAtEnd(Math.abs(box.current?.scrollTop ?? 0) < nearEndPx);
  return (
    <div className={classes['around']}>
      <section
        className={classes['box']}
        ref={box}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={`Messages with ${from}`}
      >
        <div className={classes['messages']} role="log" aria-live="polite">
          <Older list={list} box={box} />
          {bubbles}
          {pending
            .filter(({ uuid }) => !messages.some((message) => message.uuid === uuid))
            .map((one) => (
              <PendingBubble key={one.key} pending={one} outbox={outbox} timeZone={timeZone} from={from} />
            ))}
        </div>
      </section>
      {!atEnd && (
        <Button
          className={classes['toEnd']}
          size="compact-sm"
          radius="xl"
          variant="default"
          leftSection={<IconArrowDown size={14} />}
          rightSection={
            fresh > 0 && (
              <Badge size="sm" circle={fresh < 10}>
                {fresh}
              </Badge>
            )
          }
          onClick={toEnd}
        >
          {fresh > 0 ? 'New messages' : 'Latest'}
        </Button>
      )}
    </div>
  );
}

const countAfter = (messages: Message[], uuid: string): number =>
  messages.slice(messages.findLastIndex((message) => message.uuid === uuid) + 1).length;

/** Reads further back when one scrolls to where it stands. */
function Older({ list, box }: { list: PhoneContent['list']; box: React.RefObject<HTMLElement | null> }) {
  const mark = useRef<HTMLDivElement>(null);
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    if (!mark.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => setVisible(entry?.isIntersecting ?? false), {
      root: box.current,
      rootMargin: '600px 0px 0px 0px',
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [box]);
  const { hasMore, isLoadingMore, loadMore } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: loadMore is another one each time
  useEffect(() => {
    if (visible && hasMore && !isLoadingMore) loadMore();
  }, [visible, hasMore, isLoadingMore]);
  return (
    <div ref={mark} className={classes['older']}>
      {isLoadingMore && <Loader size="xs" aria-label="Loading older messages" />}
    </div>
  );
}
