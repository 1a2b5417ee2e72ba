import { Badge } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { type Row, useList } from '../../../api/index.ts';
import { type Column, Listing, NewLink, TwoLines } from '../../../parts/index.ts';
import { sayScopes } from '../scopes.ts';
import { SettingsPage } from '../settings-page.tsx';

const columns: Column<Row<'/v2/roles/'>>[] = [
  {
    title: 'Role',
    important: true,
    width: 'minmax(12rem, 2fr)',
    render: (row) => <TwoLines first={row.name} second={row.description} />,
  },
  {
    title: 'May do',
    width: 'minmax(11rem, 3fr)',
    render: (row) => <span title={row.scopes.join(', ')}>{sayScopes(row.scopes)}</span>,
  },
  { title: 'Users', width: '6rem', important: true, render: (row) => row.users },
  {
    title: 'Kind',
    width: '7rem',
    render: (row) => (
      <Badge variant="light" color={row.built_in ? 'gray' : 'blue'}>
        {row.built_in ? 'Built in' : 'Own'}
      </Badge>
    ),
  },
];

const create = <NewLink href="/settings/roles/new">New role</NewLink>;

/** Named sets of scopes, for users to have. */
export function ListOfRoles() {
  const list = useList('/v2/roles/');
  return (
    <SettingsPage
      tab="/settings/roles"
      description="What the users of a role may do. A change holds at once for everybody who has the role."
      actions={create}
    >
      <Listing
        one="role"
        label="Roles"
        list={list}
        columns={columns}
        href={(row) => `/settings/roles/${encodeURIComponent(row.uuid ?? row.name)}`}
        icon={IconShieldLock}
        hint="Every account has the built-in ones."
        action={create}
      />
    </SettingsPage>
  );
}
