import { IconBuildings } from '@tabler/icons-react';
import { type Row, useList } from '../../../api/index.ts';
import { type Column, Listing, NewLink, Status, Time, useFilters } from '../../../parts/index.ts';
import { SettingsPage } from '../settings-page.tsx';
import { sayBytes, sayStanding, standings } from './words.ts';

const columns: Column<Row<'/v2/accounts/'>>[] = [
  { title: 'Name', important: true, width: 'minmax(10rem, 2fr)', render: (row) => row.name },
  {
    title: 'State',
    important: true,
    width: '8.5rem',
    render: (row) => <Status word={row.status} label={sayStanding(row)} />,
  },
  { title: 'Country', width: '6rem', render: (row) => row.default_country },
  { title: 'Files', width: '7rem', align: 'right', render: (row) => sayBytes(row.usage.storage_bytes) },
  { title: 'Created', width: '8rem', sort: 'created', render: (row) => <Time at={row.created} /> },
];

const create = <NewLink href="/settings/tenants/new">New account</NewLink>;

/** For whoever runs the server: its accounts. */
export function ListOfTenants() {
  const filters = useFilters([
    { kind: 'search', name: 'q', label: 'Name' },
    { kind: 'select', name: 'status', label: 'State', options: standings },
    { kind: 'dates' },
  ]);
  const list = useList('/v2/accounts/', filters.query);
  return (
    <SettingsPage
      tab="/settings/tenants"
      description="Everybody who uses this server. No account sees anything of another."
      actions={create}
    >
      <Listing
        one="account"
        label="Accounts"
        list={list}
        columns={columns}
        filters={filters}
        always
        href={(row) => `/settings/tenants/${row.uuid}`}
        icon={IconBuildings}
        hint="An account has its own senders, numbers, people, users and tokens."
        action={create}
      />
    </SettingsPage>
  );
}
