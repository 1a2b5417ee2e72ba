import { IconUsers } from '@tabler/icons-react';
import { type Row, useList } from '../../../api/index.ts';
import { type Column, Listing, NewLink, Time } from '../../../parts/index.ts';
import { sayScopes } from '../scopes.ts';
import { SettingsPage } from '../settings-page.tsx';

const columns: Column<Row<'/v2/users/'>>[] = [
  { title: 'Name', important: true, width: 'minmax(8rem, 2fr)', render: (row) => row.username },
  {
    title: 'May do',
    important: true,
    width: 'minmax(11rem, 2fr)',
    render: (row) => <span title={row.scopes.join(', ')}>{sayScopes(row.scopes)}</span>,
  },
  {
    title: 'Last sign-in',
    width: '9rem',
    render: (row) => (row.last_sign_in ? <Time at={row.last_sign_in} /> : 'Never'),
  },
  { title: 'Created', width: '9rem', render: (row) => <Time at={row.created} /> },
];

const create = <NewLink href="/settings/users/new">New user</NewLink>;

/** The people who can sign in to this account. */
export function ListOfUsers() {
  const list = useList('/v2/users/');
  return (
    <SettingsPage
      tab="/settings/users"
      description="People who sign in with a name and a password. Programs use tokens."
      actions={create}
    >
      <Listing
        one="user"
        label="Users"
        list={list}
        columns={columns}
        href={(row) => `/settings/users/${row.uuid}`}
        icon={IconUsers}
        hint="Make one for each person."
        action={create}
      />
    </SettingsPage>
  );
}
