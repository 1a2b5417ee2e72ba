import { Button, Group } from '@mantine/core';
import { IconAddressBook, IconPlus, IconUpload } from '@tabler/icons-react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { type Column, DataTable, EmptyState, Filters, Page, Phone, Time, useFilters } from '../../parts/index.ts';
import { useAllLists } from '../lists/use-all-lists.ts';
import { AttributeFilter } from './attribute-filter.tsx';
import { ExportContacts } from './export-button.tsx';
import { LanguageFilter } from './language-filter.tsx';

type Item = Row<'/v2/contacts/'>;

const columns: Column<Item>[] = [
  {
    title: 'Number',
    important: true,
    width: 'minmax(12rem, 1fr)',
    render: (row) => <Phone number={row.phone_number} />,
  },
  { title: 'Name', important: true, width: 'minmax(10rem, 1fr)', render: (row) => row.name || '–' },
  { title: 'Attributes', width: 'minmax(14rem, 2fr)', render: (row) => sayAttributes(row.attributes) },
  { title: 'Lists', width: '4rem', align: 'right', render: (row) => row.lists.length },
  { title: 'Language', width: '6rem', render: (row) => row.language_code || '–' },
  { title: 'Created', width: '9rem', sort: 'created', render: (row) => <Time at={row.created} /> },
];

const sayAttributes = (attributes: object): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ') || '–';

const upload = (
  <Button component={Link} href="/contacts/upload" variant="default" leftSection={<IconUpload size={16} />}>
    Upload
  </Button>
);
const create = (
  <Button component={Link} href="/contacts/new" leftSection={<IconPlus size={16} />}>
    New contact
  </Button>
);

/** All contacts, found by name, number, list or attribute. */
export function ListOfContacts() {
  const [, navigate] = useLocation();
  const [params, setParams] = useSearchParams();
  const lists = useAllLists();
  const filters = useFilters([
    { kind: 'search', name: 'q', label: 'Name or number' },
    {
      kind: 'select',
      name: 'list',
      label: 'List',
      options: lists.map(({ uuid, name }) => ({ value: uuid, label: name })),
    },
    { kind: 'dates' },
  ]);
  const attributes = params.getAll('attribute');
  const setAttributes = (wanted: string[]) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        next.delete('attribute');
        for (const each of wanted) next.append('attribute', each);
        return next;
      },
      { replace: true },
    );
  const language = params.get('language_code') ?? '';
  const query = {
    ...filters.query,
    ...(language && { language_code: language }),
    ...(attributes.length > 0 && { attribute: attributes }),
  };
  const list = useList('/v2/contacts/', query);
  useLiveRefresh(['contact.', 'job.', 'list.'], ['/v2/contacts/']);
  const empty =
    filters.active || attributes.length > 0 || language ? (
      <EmptyState title="No contact fits these filters." />
    ) : (
      <EmptyState
        icon={IconAddressBook}
        title="No contacts yet."
        hint="Upload a CSV file of people, or add them one by one. Campaigns are sent to lists of contacts."
        action={
          <Group justify="center">
            {upload}
            {create}
          </Group>
        }
      />
    );
  return (
    <Page
      title="Contacts"
      description="The people you write to."
      actions={
        <>
          <ExportContacts query={query} count={list.count} />
          {upload}
          {create}
        </>
      }
    >
      <Filters state={filters} />
      <Group gap="sm" mb="md" align="flex-start">
        <AttributeFilter value={attributes} onChange={setAttributes} sample={list.rows[0]?.attributes} />
        <LanguageFilter value={language} onChange={(code) => filters.set('language_code', code)} rows={list.rows} />
      </Group>
      <DataTable
        label="Contacts"
        list={list}
        columns={columns}
        ordering={filters.ordering}
        empty={empty}
        onOpen={(row) => navigate(`/contacts/${row.uuid}`)}
      />
    </Page>
  );
}
