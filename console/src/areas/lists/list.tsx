import { IconListDetails } from '@tabler/icons-react';
import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { type Column, Listing, NewLink, Page, sayFigure, Time, useFilters } from '../../parts/index.ts';

const columns: Column<Row<'/v2/lists/'>>[] = [
  { title: 'Name', sort: 'name', important: true, width: 'minmax(12rem, 2fr)', render: (row) => row.name },
  { title: 'Description', width: 'minmax(12rem, 2fr)', render: (row) => row.description },
  {
    title: 'Contacts',
    align: 'right',
    width: '7rem',
    important: true,
    render: (row) => sayFigure(row.contact_count),
  },
  { title: 'Created', sort: 'created', width: '9rem', render: (row) => <Time at={row.created} /> },
];

const create = <NewLink href="/lists/new">New list</NewLink>;

/** All lists. */
export function ListOfLists() {
  const filters = useFilters([{ kind: 'search', name: 'search', label: 'Name' }, { kind: 'dates' }]);
  const list = useList('/v2/lists/', filters.query);
  useLiveRefresh(['list.', 'contact.', 'job.'], ['/v2/lists/']);
  return (
    <Page title="Lists" description="Groups of contacts, for campaigns." actions={create}>
      <Listing
        one="list"
        label="Lists"
        list={list}
        columns={columns}
        filters={filters}
        href={(row) => `/lists/${row.uuid}`}
        icon={IconListDetails}
        hint="Campaigns are sent to lists."
        action={create}
      />
    </Page>
  );
}
