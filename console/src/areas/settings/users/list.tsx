import { Button, Group } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { Link } from 'wouter';
import { type Row, useList } from '../../../api/index.ts';
import { type Column, Listing, May, NewLink, Time, TwoLines } from '../../../parts/index.ts';
import { sayScopes } from '../scopes.ts';
import { SettingsPage } from '../settings-page.tsx';

const columns: Column<Row<'/v2/users/'>>[] = [
  {
    title: 'Name',
    important: true,
    width: 'minmax(8rem, 2fr)',
    render: (row) => <TwoLines first={row.username} second={row.full_name} />,
  },
  {
    title: 'Role',
    important: true,
    width: 'minmax(9rem, 1fr)',
    render: (row) => <span title={sayScopes(row.scopes)}>{row.role ?? 'Custom'}</span>,
  },
  {
    title: 'Last sign-in',
    width: '9rem',
    render: (row) => {
      if (!row.active) return 'Deactivated';
      return row.last_sign_in ? <Time at={row.last_sign_in} /> : 'Never';
    },
  },
  { title: 'Created', width: '9rem', render: (row) => <Time at={row.created} /> },
];

const create = (
  <Group gap="xs">
    <Button component={Link} href="/settings/invitations/new" variant="default">
      Invite
    </Button>
    <NewLink href="/settings/users/new">New user</NewLink>
  </Group>
);

/** The people who can sign in to this account. */
export function ListOfUsers() {
  const list = useList('/v2/users/');
  return (
    <SettingsPage
      tab="/settings/users"
      description="People who sign in with a name and a password. Programs use tokens."
      actions={<May>{create}</May>}
    >
      <Listing
        one="user"
        label="Users"
        list={list}
        columns={columns}
        href={(row) => `/settings/users/${row.uuid}`}
        icon={IconUsers}
        hint="Make one for each person."
        action={<May>{create}</May>}
      />
    </SettingsPage>
  );
}
