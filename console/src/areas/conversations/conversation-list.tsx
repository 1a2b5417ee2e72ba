import { Select, Skeleton, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconMessages, IconSearch } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useList } from '../../api/index.ts';
import { EmptyState, Problem } from '../../parts/index.ts';
import { compact, useSenders } from '../../parts/messages/use-senders.ts';
import { ConversationRow } from './conversation-row.tsx';
import classes from './inbox.module.css';
import type { Pair } from './types.ts';

const rowHeight = 76;

/** Everybody who wrote, the latest on top. Any number of them: only those in sight exist. */
export function ConversationList({ pair }: { pair: Pair | undefined }) {
  const [params, setParams] = useSearchParams();
  const { options } = useSenders();
  const [typed, setTyped] = useState('');
  const [person] = useDebouncedValue(typed, 300);
  const chatapp_number = params.get('chatapp_number') ?? '';
  // The API knows a person by the whole number only.
  const number = person.replaceAll(/\D/g, '').length >= 7 ? person : '';
  const list = useList('/v2/chatapp/conversations/', { chatapp_number, number });
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: list.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { hasMore, isLoadingMore, loadMore } = list;
  useEffect(() => {
    if (hasMore && !isLoadingMore && last >= list.rows.length - 10) loadMore();
  }, [hasMore, isLoadingMore, last, list.rows.length, loadMore]);
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
          onChange={(value) => setParams(value ? { chatapp_number: value } : {}, { replace: true })}
        />
        <TextInput
          type="search"
          aria-label="Whole number of the person"
          placeholder="Whole number of a person"
          leftSection={<IconSearch size={16} />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Stack>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys go from link to link, which are reachable without */}
      <div ref={scroller} className={classes['rows']} onKeyDown={onArrow}>
        {list.error && <Problem error={list.error} retry={list.retry} />}
        {list.isLoading && <Waiting />}
        {!list.isLoading && !list.error && list.rows.length === 0 && (
          <EmptyState
            icon={IconMessages}
            title={number || chatapp_number ? 'Nobody fits.' : 'Nobody has written yet.'}
            hint={number || chatapp_number ? undefined : 'A conversation begins with the first message of a person.'}
          />
        )}
        <ul style={{ height: rows.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const one = list.rows[index]!;
            return (
              <li
                key={`${one.chatapp_account} ${one.number}`}
                style={{ transform: `translateY(${start}px)`, height: rowHeight }}
              >
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
