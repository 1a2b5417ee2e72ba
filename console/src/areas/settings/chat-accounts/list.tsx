import { IconMessageCircle } from '@tabler/icons-react';
import { type Row, useList } from '../../../api/index.ts';
import { useLiveRefresh } from '../../../live/index.ts';
import { type Column, Listing, NewLink, Phone, Status, Time, useFilters } from '../../../parts/index.ts';
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

const create = <NewLink href="/settings/chat-accounts/new">New account</NewLink>;

/** The numbers that chat messages are sent from. */
export function ListOfChatAccounts() {
  const filters = useFilters([{ kind: 'search', name: 'chatapp_number', label: 'Number' }, { kind: 'dates' }]);
  const list = useList('/v2/chatapp/accounts/', filters.query);
  useLiveRefresh(['chatapp_account.'], ['/v2/chatapp/accounts/']);
  return (
    <SettingsPage
      tab="/settings/chat-accounts"
      description="Numbers that send chat messages, with their carrier."
      actions={create}
    >
      <Listing
        one="account"
        label="Chat-app accounts"
        list={list}
        columns={columns}
        filters={filters}
        href={(row) => `/settings/chat-accounts/${row.uuid}`}
        unfit="Enter the complete number."
        icon={IconMessageCircle}
        none="No chat-app accounts yet."
        hint="A chat-app account is a number that sends chat messages. In the sandbox, any number works and is registered on first use."
        action={create}
      />
    </SettingsPage>
  );
}
