import { Select, Skeleton, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconMessages, IconSearch } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useList } from '../../api/index.ts';
import { EmptyState, Problem } from '../../parts/index.ts';
import { compact, useSenders } from '../../parts/messages/use-senders.ts';
import { isInUse } from '../../parts/table/in-use.ts';
import { NewRows } from '../../parts/table/new-rows.tsx';
import { useScrollMemory } from '../../parts/table/scroll-memory.ts';
import { useStill } from '../../parts/table/use-still.ts';
import { ConversationRow } from './conversation-row.tsx';
import classes from './inbox.module.css';
import type { Conversation, Pair } from './types.ts';

const rowHeight = 76;
const keyOf = (one: Conversation): string => `${one.chatapp_account} ${one.number}`;

/** Everybody who wrote, the conversation with the latest message on top. Any number of them: only those in sight exist. */
export function ConversationList({ pair }: { pair: Pair | undefined }) {
  const [params, setParams] = useSearchParams();
  const { options } = useSenders();
  const search = params.get('search') ?? '';
  const [typed, setTyped] = useState(search);
  const chatapp_number = params.get('chatapp_number') ?? '';
  const list = useList('/v2/chatapp/conversations/', { chatapp_number, search, ordering: '-last_message' });
  const set = (name: string, value: string): void =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  const setSearch = useDebouncedCallback((text: string) => set('search', text), 300);
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const still = useStill(list, keyOf, () => scroller !== null && isInUse(scroller));
  const { hasMore, isLoadingMore, loadMore } = list;
  const begin = useScrollMemory({
    label: 'Conversations',
    scroller,
    rows: still.rows,
    keyOf,
    rowHeight,
    ready: !list.isLoading,
    hasMore,
    loadMore,
  });
  const rows = useVirtualizer({
    count: still.rows.length,
    initialOffset: begin,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  const onPointerLeave = (): void => {
    if (still.waiting > 0 || still.moved) requestAnimationFrame(() => (scroller && isInUse(scroller)) || still.show());
  };
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoadingMore && last >= still.rows.length - 10) loadMore();
  }, [hasMore, isLoadingMore, last, still.rows.length, loadMore]);
  const isHere = (one: (typeof list.rows)[number]) =>
    pair !== undefined &&
    compact(one.chatapp_number) === compact(pair.sender) &&
    compact(one.number) === compact(pair.person);
  return (
    <section className={classes['list']} aria-label="List of conversations">
      <Stack gap="xs" p="sm" className={classes['search']}>
        <Select
          aria-label="Your number"
          placeholder="All your numbers"
          data={options}
          clearable
          value={chatapp_number || null}
          onChange={(value) => set('chatapp_number', value ?? '')}
        />
        <TextInput
          type="search"
          aria-label="Name or number"
          placeholder="Name or number"
          leftSection={<IconSearch size={16} />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setSearch(event.currentTarget.value);
          }}
        />
      </Stack>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys go from link to link, which are reachable without */}
      <div ref={setScroller} className={classes['rows']} onKeyDown={onArrow} onPointerLeave={onPointerLeave}>
        {list.error && <Problem error={list.error} retry={list.retry} />}
        {list.isLoading && <Waiting />}
        {!list.isLoading && !list.error && list.rows.length === 0 && (
          <EmptyState
            icon={IconMessages}
            title={search || chatapp_number ? 'No conversations found.' : 'No conversations yet.'}
            hint={search || chatapp_number ? undefined : 'A conversation starts with a person’s first message.'}
          />
        )}
        <NewRows still={still} scroller={scroller} />
        <ul style={{ height: rows.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const one = still.rows[index]!;
            return (
              <li key={keyOf(one)} style={{ transform: `translateY(${start}px)`, height: rowHeight }}>
                <ConversationRow conversation={one} here={isHere(one)} query={location.search} />
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

const Waiting = () => (
  <Stack p="sm" aria-busy="true">
    {[1, 2, 3, 4].map((key) => (
      <Skeleton key={key} h={52} />
    ))}
  </Stack>
);

function onArrow(event: KeyboardEvent<HTMLDivElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const links = [...event.currentTarget.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  const next = links[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}
