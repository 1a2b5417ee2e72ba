import { Text } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight, IconMessage } from '@tabler/icons-react';
import { call, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import {
  type Column,
  Listing,
  NewLink,
  Page,
  Phone,
  Status,
  Time,
  useFilters,
  useMayChange,
  Who,
} from '../../parts/index.ts';
import { summaryOf } from '../../parts/messages/summary.ts';
import { directions, type Message, personOf, statuses, types } from '../../parts/messages/types.ts';
import { useSenderOptions } from '../../parts/messages/use-senders.ts';
import { CancelMany } from '../../parts/selection/cancel-many.tsx';
import { ResendButton } from '../../parts/selection/resend-button.tsx';
import { useSelection } from '../../parts/selection/selection.tsx';
import { useIntros, useLaunches } from './use-origins.ts';

const columns: Column<Message>[] = [
  {
    title: 'Person',
    important: true,
    width: 'minmax(13rem, 1.2fr)',
    render: (row) => <Person row={row} />,
    csv: personOf,
  },
  {
    title: 'Message',
    width: 'minmax(12rem, 3fr)',
    render: (row) => (
      <Text size="sm" truncate title={row.status_description || undefined}>
        {summaryOf(row)}
      </Text>
    ),
    csv: summaryOf,
  },
  {
    title: 'Your number',
    width: 'minmax(10rem, 1fr)',
    render: (row) => <Phone number={row.chatapp_number} copy={false} />,
    csv: (row) => row.chatapp_number,
  },
  {
    title: 'Status',
    important: true,
    width: '8.5rem',
    render: (row) => <Status word={row.status} />,
    csv: (row) => row.status,
  },
  {
    title: 'Created',
    width: '7.5rem',
    sort: 'created',
    render: (row) => <Time at={row.created} />,
    csv: (row) => row.created,
  },
];

function Person({ row }: { row: Message }) {
  const inbound = row.direction === 'INBOUND';
  const Arrow = inbound ? IconArrowDownLeft : IconArrowUpRight;
  return (
    <span style={{ display: 'flex', alignItems: 'center', gap: 6, minWidth: 0, width: '100%' }}>
      <Arrow size={16} role="img" aria-label={inbound ? 'From' : 'To'} style={{ flexShrink: 0 }} />
      <Who number={personOf(row)} below={summaryOf(row)} />
    </span>
  );
}

const create = <NewLink href="/messages/new">New message</NewLink>;

/** All chat messages, sent and received. */
export function MessageList() {
  const filters = useFilters([
    { kind: 'search', name: 'search', label: 'Name or number' },
    { kind: 'other', name: 'q' },
    { kind: 'select', name: 'status', label: 'Status', options: statuses },
    { kind: 'select', name: 'direction', label: 'Direction', options: directions },
    { kind: 'select', name: 'type', label: 'Type', options: types },
    { kind: 'late-select', name: 'chatapp_number', label: 'Your number', useOptions: useSenderOptions },
    { kind: 'late-select', name: 'chat_intro', label: 'Intro', useOptions: useIntros },
    { kind: 'late-select', name: 'campaign_log', label: 'Campaign launch', useOptions: useLaunches },
    { kind: 'dates' },
  ]);
  const list = useList('/v2/chatapp/messages/', filters.query as never);
  useLiveRefresh(['message.'], ['/v2/chatapp/messages/']);
  const selection = useSelection(list);
  const may = useMayChange();
  useLiveRefresh(['contact.'], ['/v2/contacts/names/']);
  return (
    <Page title="Messages" description="All chat messages, sent and received." actions={create}>
      <Listing
        one="message"
        label="Messages"
        list={list}
        columns={columns}
        filters={filters}
        rowHeight={54}
        {...(may && { selection })}
        rowName={(row) => `${personOf(row)}: ${summaryOf(row)}`}
        href={(row) => `/messages/${row.uuid}`}
        icon={IconMessage}
        hint="Messages you send and receive appear here."
        action={create}
      >
        <CancelMany
          selection={selection}
          rows={list.rows}
          many="messages"
          run={(uuids) => call('post', '/v2/chatapp/messages/cancel/', { body: { messages: uuids } })}
          invalidates={['/v2/chatapp/messages/']}
        >
          <ResendButton
            selection={selection}
            rows={list.rows}
            one="message"
            many="messages"
            run={(uuids) => call('post', '/v2/chatapp/messages/resend/', { body: { messages: uuids } })}
            invalidates={['/v2/chatapp/messages/']}
          />
        </CancelMany>
      </Listing>
    </Page>
  );
}
