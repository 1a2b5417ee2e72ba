import { Button, Skeleton, Stack } from '@mantine/core';
import { useMemo } from 'react';
import type { List } from '../../api/index.ts';
import { useHere } from '../../parts/account.tsx';
import { EmptyState, Problem } from '../../parts/index.ts';
import { locale } from '../../parts/locale.ts';
import { useDefinitions } from '../../parts/messages/use-definitions.ts';
import classes from './inbox.module.css';
import { TalkLine } from './talk-line.tsx';
import type { Message, Pair } from './types.ts';

interface TalkProps {
  messages: List<Message>;
  name: string;
  pair: Pair;
  onAnswer(message: Message): void;
}

/** The bubbles, the latest at the bottom, where one begins to read. */
export function Talk({ messages, name, pair, onAnswer }: TalkProps) {
  const { timeZone } = useHere();
  const { rows, isLoading, error, hasMore, isLoadingMore } = messages;
  const { find } = useDefinitions(
    pair.sender,
    rows.some(({ type }) => type === 'TEMPLATE'),
  );
  const byUuid = useMemo(() => new Map(rows.map((message) => [message.uuid, message])), [rows]);
  const reactions = useMemo(() => reactionsIn(rows), [rows]);
  const ordered = useMemo(() => rows.filter(({ type }) => type !== 'REACTION').toReversed(), [rows]);
  const dayOf = useMemo(() => {
    const format = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone });
    return (message: Message) => format.format(new Date(message.created));
  }, [timeZone]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={classes['talk']} tabIndex={0} role="log" aria-label="Messages">
      <div>
        {error && <Problem error={error} retry={messages.retry} />}
        {isLoading && (
          <Stack aria-busy="true">
            <Skeleton h={48} w="60%" />
            <Skeleton h={48} w="50%" ml="auto" />
          </Stack>
        )}
        {!isLoading && !error && rows.length === 0 && (
          <EmptyState title="No messages yet." hint="Start with a template." />
        )}
        {hasMore && (
          <Button variant="subtle" size="xs" fullWidth loading={isLoadingMore} onClick={messages.loadMore}>
            Show earlier messages
          </Button>
        )}
        <ol className={classes['lines']}>
          {ordered.map((message, index) => {
            const before = ordered[index - 1];
            const day = dayOf(message);
            const { message_uuid } = message.context_data as { message_uuid?: string };
            const { template_name = '', language_code } = message.message_data as Record<string, string>;
            return (
              <TalkLine
                key={message.uuid}
                message={message}
                day={before && dayOf(before) === day ? '' : day}
                name={name}
                quoted={message_uuid ? (byUuid.get(message_uuid) ?? 'unknown') : undefined}
                reaction={reactions.get(message.uuid) ?? ''}
                definition={message.type === 'TEMPLATE' ? find(template_name, language_code) : undefined}
                onAnswer={onAnswer}
              />
            );
          })}
        </ol>
      </div>
    </div>
  );
}

/** The emojis on each message; the newest of each side counts, and rows come newest first. */
function reactionsIn(rows: Message[]): Map<string, string> {
  const seen = new Set<string>();
  const found = new Map<string, string>();
  for (const { type, direction, message_data } of rows) {
    if (type !== 'REACTION') continue;
    const { message_uuid = '', emoji = '' } = (message_data as { reaction?: Record<string, string> }).reaction ?? {};
    const key = `${direction} ${message_uuid}`;
    if (!seen.has(key)) found.set(message_uuid, (found.get(message_uuid) ?? '') + emoji);
    seen.add(key);
  }
  return found;
}
