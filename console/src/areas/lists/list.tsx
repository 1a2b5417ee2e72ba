import { Button } from '@mantine/core';
import { IconListDetails, IconPlus } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { type Column, DataTable, EmptyState, Filters, Page, Time, useFilters } from '../../parts/index.ts';

const columns: Column<Row<'/v2/lists/'>>[] = [
  { title: 'Name', important: true, width: 'minmax(12rem, 2fr)', render: (row) => row.name },
  { title: 'Description', width: 'minmax(12rem, 2fr)', render: (row) => row.description },
  {
    title: 'Contacts',
    align: 'right',
    width: '7rem',
    important: true,
    render: (row) => figure.format(row.contact_count),
  },
  { title: 'Created', sort: 'created', width: '9rem', render: (row) => <Time at={row.created} /> },
];

const figure = new Intl.NumberFormat('en');

const create = (
  <Button component={Link} href="/lists/new" leftSection={<IconPlus size={16} />}>
    New list
  </Button>
);

/** All lists. */
export function ListOfLists() {
  const [, navigate] = useLocation();
  const filters = useFilters([{ kind: 'search', name: 'name', label: 'Whole name' }, { kind: 'dates' }]);
  const list = useList('/v2/lists/', filters.query);
  useLiveRefresh(['list.', 'contact.', 'job.'], ['/v2/lists/']);
  const empty = filters.active ? (
    <EmptyState title="No list fits these filters." />
  ) : (
    <EmptyState icon={IconListDetails} title="No lists yet." hint="A list says who gets a campaign." action={create} />
  );
  return (
    <Page title="Lists" description="Groups of contacts, for campaigns." actions={create}>
      <Filters state={filters} />
      <DataTable
        label="Lists"
        list={list}
        columns={columns}
        ordering={filters.ordering}
        empty={empty}
        onOpen={(row) => navigate(`/lists/${row.uuid}`)}
      />
    </Page>
  );
}
