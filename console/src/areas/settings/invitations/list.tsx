import { Badge, Button } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { type Row, useAct, useList } from '../../../api/index.ts';
import { type Column, confirm, Listing, NewLink, Time } from '../../../parts/index.ts';
import { SettingsPage } from '../settings-page.tsx';

type Item = Row<'/v2/invitations/'>;

const words = { PENDING: ['Pending', 'blue'], ACCEPTED: ['Accepted', 'green'], EXPIRED: ['Expired', 'gray'] } as const;

const columns: Column<Item>[] = [
  { title: 'For', important: true, width: 'minmax(10rem, 2fr)', render: (row) => row.email || 'Anybody with the link' },
  { title: 'Role', important: true, width: '8rem', render: (row) => row.role },
  {
    title: 'Status',
    width: '8rem',
    render: (row) => (
      <Badge variant="light" color={words[row.status][1]}>
        {words[row.status][0]}
      </Badge>
    ),
  },
  { title: 'Invited by', width: 'minmax(7rem, 1fr)', render: (row) => row.created_by },
  { title: 'Expires', width: '9rem', render: (row) => <Time at={row.expires} /> },
  { title: 'Revoke', width: '7rem', important: true, render: (row) => <RevokeButton row={row} /> },
];

function RevokeButton({ row }: { row: Item }) {
  const revoke = useAct('delete', '/v2/invitations/{uuid}/', { invalidates: ['/v2/invitations/'], done: 'Revoked.' });
  if (!revoke.may || row.status !== 'PENDING') return null;
  const ask = async () => {
    const text = 'The link stops working at once.';
    if (await confirm({ title: 'Revoke this invitation?', text, button: 'Revoke' }))
      revoke.mutate({ params: { uuid: row.uuid } });
  };
  return (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() => void ask()}
      aria-label={`Revoke the invitation of ${row.email || row.role}`}
    >
      Revoke
    </Button>
  );
}

const create = <NewLink href="/settings/invitations/new">Invite</NewLink>;

/** Links that make users. */
export function ListOfInvitations() {
  const list = useList('/v2/invitations/');
  return (
    <SettingsPage
      tab="/settings/invitations"
      description="Links by which people join the account and choose their own password."
      actions={create}
    >
      <Listing
        one="invitation"
        label="Invitations"
        list={list}
        columns={columns}
        icon={IconMail}
        hint="Invite the people you work with."
        action={create}
      />
    </SettingsPage>
  );
}
