import { Button } from '@mantine/core';
import { useLocation } from 'wouter';
import { type Row, useAct, useList, useOne } from '../../api/index.ts';
import { type Column, confirm, DataTable, EmptyState, Loaded, Page, Phone, Time } from '../../parts/index.ts';

const columns: Column<Row<'/v2/lists/{uuid}/contacts/'>>[] = [
  {
    title: 'Number',
    important: true,
    width: 'minmax(12rem, 1fr)',
    render: (row) => <Phone number={row.phone_number} />,
  },
  { title: 'Name', important: true, render: (row) => row.name },
  { title: 'Created', width: '9rem', render: (row) => <Time at={row.created} /> },
];

/** One list and who is on it. */
export function ListDetail({ uuid }: { uuid: string }) {
  const [, navigate] = useLocation();
  const query = useOne('/v2/lists/{uuid}/', { uuid });
  const members = useList('/v2/lists/{uuid}/contacts/', {}, { params: { uuid } });
  const remove = useAct('delete', '/v2/lists/{uuid}/', {
    invalidates: ['/v2/lists/'],
    done: 'Deleted.',
    onDone: () => navigate('/lists'),
  });
  const ask = async (name: string) => {
    const question = { title: `Delete the list “${name}”?`, text: 'Its contacts stay.', button: 'Delete' };
    if (await confirm(question)) remove.mutate({ params: { uuid } });
  };
  return (
    <Loaded query={query} what="list">
      {(list) => (
        <Page
          title={list.name}
          description={list.description}
          trail={[{ title: 'Lists', href: '/lists' }]}
          actions={
            <Button color="red.8" variant="outline" loading={remove.isPending} onClick={() => void ask(list.name)}>
              Delete
            </Button>
          }
        >
          <DataTable
            label="Contacts"
            list={members}
            columns={columns}
            empty={<EmptyState title="Nobody is on this list yet." hint="Add contacts to it, or upload a CSV file." />}
          />
        </Page>
      )}
    </Loaded>
  );
}
