import { Button } from '@mantine/core';
import { IconMessageCircle, IconPlus } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { type Row, useList } from '../../../api/index.ts';
import { useLiveRefresh } from '../../../live/index.ts';
import { type Column, DataTable, EmptyState, Filters, Phone, Status, Time, useFilters } from '../../../parts/index.ts';
import { SettingsPage } from '../settings-page.tsx';
import { QueueCell } from './queue.tsx';
import { sayCarrier } from './words.ts';

const columns: Column<Row<'/v2/chatapp/accounts/'>>[] = [
  { title: 'Number', important: true, width: '10.5rem', render: (row) => <Phone number={row.chatapp_number} /> },
  { title: 'Name', width: 'minmax(9rem, 2fr)', render: (row) => row.name || '–' },
  { title: 'Carrier', width: '7rem', render: (row) => sayCarrier(row.carrier) },
  {
    title: 'State',
    important: true,
    width: '7.5rem',
    render: (row) => <Status word={row.paused ? 'PAUSED' : 'ACTIVE'} label={row.paused ? 'Paused' : 'Sending'} />,
  },
  { title: 'Queue', width: '7.5rem', render: (row) => <QueueCell uuid={row.uuid} /> },
  { title: 'Per second', width: '6.5rem', align: 'right', render: (row) => row.messages_per_second },
  { title: 'Created', width: '7rem', sort: 'created', render: (row) => <Time at={row.created} /> },
];

const create = (
  <Button component={Link} href="/settings/chat-accounts/new" leftSection={<IconPlus size={16} />}>
    New account
  </Button>
);

/** The numbers that chat messages are sent from. */
export function ListOfChatAccounts() {
  const [, navigate] = useLocation();
  const filters = useFilters([{ kind: 'search', name: 'chatapp_number', label: 'Number' }, { kind: 'dates' }]);
  const list = useList('/v2/chatapp/accounts/', filters.query);
  useLiveRefresh(['chatapp_account.'], ['/v2/chatapp/accounts/']);
  const empty = filters.active ? (
    <EmptyState title="No account fits these filters." hint="A number must be written whole." />
  ) : (
    <EmptyState
      icon={IconMessageCircle}
      title="No chat-app accounts yet."
      hint="An account is a number that chat messages are sent from. In the sandbox any number works, and one that you send from is registered by itself."
      action={create}
    />
  );
  return (
    <SettingsPage
      tab="/settings/chat-accounts"
      description="The numbers that chat messages are sent from, and who carries them."
      actions={create}
    >
      <Filters state={filters} />
      <DataTable
        label="Chat-app accounts"
        list={list}
        columns={columns}
        ordering={filters.ordering}
        empty={empty}
        onOpen={(row) => navigate(`/settings/chat-accounts/${row.uuid}`)}
      />
    </SettingsPage>
  );
}
