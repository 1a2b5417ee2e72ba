import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconUpload, IconUsers } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { type Row, useAct, useList, useOne } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { type Column, confirm, DataTable, EmptyState, Loaded, May, Page, Phone, Time } from '../../parts/index.ts';
import { AddMembers } from './add-members.tsx';
import { ListMenu } from './list-menu.tsx';
import { RemoveButton } from './remove-button.tsx';
import { RenameList } from './rename.tsx';

type Member = Row<'/v2/lists/{uuid}/contacts/'>;

/** One list and who is on it. */
export function ListDetail({ uuid }: { uuid: string }) {
  const [, navigate] = useLocation();
  const query = useOne('/v2/lists/{uuid}/', { uuid });
  const members = useList('/v2/lists/{uuid}/contacts/', {}, { params: { uuid } });
  useLiveRefresh(['list.', 'contact.', 'job.finished'], ['/v2/lists/']);
  const [adding, add] = useDisclosure(false);
  const [renaming, rename] = useDisclosure(false);
  const empty = useAct('delete', '/v2/lists/{uuid}/contacts/', { invalidates: ['/v2/lists/'], done: 'Emptied.' });
  const remove = useAct('delete', '/v2/lists/{uuid}/', {
    invalidates: ['/v2/lists/'],
    done: 'Deleted.',
    onDone: () => navigate('/lists'),
  });
  const columns = useMemo(() => columnsOf(uuid), [uuid]);
  const askRemove = async (name: string) => {
    const text = 'Its contacts are kept, and a running campaign continues.';
    if (await confirm({ title: `Delete the list “${name}”?`, text, button: 'Delete' }))
      remove.mutate({ params: { uuid } });
  };
  const askEmpty = async (name: string) => {
    const text = 'All contacts are removed from the list. The contacts themselves are kept.';
    if (await confirm({ title: `Empty the list “${name}”?`, text, button: 'Empty' }))
      empty.mutate({ params: { uuid }, body: { all: true } });
  };
  const buttons = (
    <May>
      <Button
        component={Link}
        href={`/contacts/upload?list=${uuid}`}
        variant="default"
        leftSection={<IconUpload size={16} />}
      >
        Upload
      </Button>
      <Button leftSection={<IconPlus size={16} />} onClick={add.open}>
        Add contacts
      </Button>
    </May>
  );
  return (
    <Loaded query={query} what="list">
      {(list) => (
        <Page
          title={list.name}
          description={list.description}
          trail={[{ title: 'Lists', href: '/lists' }]}
          actions={
            <>
              <ListMenu
                uuid={uuid}
                isEmpty={list.contact_count === 0}
                onRename={rename.open}
                onEmpty={() => void askEmpty(list.name)}
                onDelete={() => void askRemove(list.name)}
              />
              {buttons}
            </>
          }
        >
          <DataTable
            label="Contacts"
            list={members}
            columns={columns}
            href={(row) => `/contacts/${row.uuid}`}
            empty={
              <EmptyState
                icon={IconUsers}
                title="This list is empty."
                hint="Add contacts by name or number, or upload a CSV file."
                action={<Group justify="center">{buttons}</Group>}
              />
            }
          />
          <AddMembers uuid={uuid} opened={adding} onClose={add.close} />
          <RenameList list={list} opened={renaming} onClose={rename.close} />
        </Page>
      )}
    </Loaded>
  );
}

const columnsOf = (list: string): Column<Member>[] => [
  {
    title: 'Number',
    important: true,
    width: 'minmax(12rem, 1fr)',
    render: (row) => <Phone number={row.phone_number} />,
  },
  { title: 'Name', important: true, render: (row) => row.name || '–' },
  { title: 'Language', width: '7rem', render: (row) => row.language_code || '–' },
  { title: 'Contact since', width: '9rem', render: (row) => <Time at={row.created} /> },
  {
    title: 'Remove',
    width: '5rem',
    align: 'right',
    important: true,
    render: (row) => <RemoveButton list={list} contact={row.uuid} name={row.name || row.phone_number} />,
  },
];
