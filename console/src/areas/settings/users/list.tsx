import { Button } from '@mantine/core';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { type Row, useList } from '../../../api/index.ts';
import { type Column, DataTable, EmptyState, Time } from '../../../parts/index.ts';
import { sayScopes } from '../scopes.ts';
import { SettingsPage } from '../settings-page.tsx';

const columns: Column<Row<'/v2/users/'>>[] = [
  { title: 'Name', important: true, width: 'minmax(10rem, 2fr)', render: (row) => row.username },
  {
    title: 'May do',
    important: true,
    width: 'minmax(8rem, 2fr)',
    render: (row) => <span title={row.scopes.join(', ')}>{sayScopes(row.scopes)}</span>,
  },
  {
    title: 'Last sign-in',
    width: '9rem',
    render: (row) => (row.last_sign_in ? <Time at={row.last_sign_in} /> : 'Never'),
  },
  { title: 'Created', width: '9rem', render: (row) => <Time at={row.created} /> },
];

const create = (
  <Button component={Link} href="/settings/users/new" leftSection={<IconUserPlus size={16} />}>
    New user
  </Button>
);

/** The people who can sign in to this account. */
export function ListOfUsers() {
  const [, navigate] = useLocation();
  const list = useList('/v2/users/');
  return (
    <SettingsPage
      tab="/settings/users"
      description="People who sign in with a name and a password. Programs use tokens."
      actions={create}
    >
      <DataTable
        label="Users"
        list={list}
        columns={columns}
        onOpen={(row) => navigate(`/settings/users/${row.uuid}`)}
        empty={<EmptyState icon={IconUsers} title="No users yet." hint="Make one for each person." action={create} />}
      />
    </SettingsPage>
  );
}
