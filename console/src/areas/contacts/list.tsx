import { Button, Group } from '@mantine/core';
import { IconAddressBook, IconUpload } from '@tabler/icons-react';
import { Link, useSearchParams } from 'wouter';
import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { languageName } from '../../parts/fields/language.ts';
import { useAllLists } from '../../parts/fields/use-all-lists.ts';
import { type Column, Listing, May, NewLink, Page, Phone, Time, useFilters, useMayChange } from '../../parts/index.ts';
import { useSelection } from '../../parts/selection/selection.tsx';
import { ActOnContacts } from './act-on-many.tsx';
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
    csv: (row) => row.phone_number,
  },
  {
    title: 'Name',
    sort: 'name',
    important: true,
    width: 'minmax(10rem, 1fr)',
    render: (row) => row.name || '–',
    csv: (row) => row.name,
  },
  {
    title: 'Attributes',
    width: 'minmax(14rem, 2fr)',
    render: (row) => sayAttributes(row.attributes),
    csv: (row) => JSON.stringify(row.attributes),
  },
  { title: 'Lists', width: '4rem', align: 'right', render: (row) => row.lists.length, csv: (row) => row.lists.length },
  {
    title: 'Language',
    width: '6rem',
    render: (row) => (row.language_code ? languageName(row.language_code) : '–'),
    csv: (row) => row.language_code,
  },
  {
    title: 'Created',
    width: '9rem',
    sort: 'created',
    render: (row) => <Time at={row.created} />,
    csv: (row) => row.created,
  },
];

const sayAttributes = (attributes: object): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ') || '–';

const upload = (
  <May>
    <Button component={Link} href="/contacts/upload" variant="default" leftSection={<IconUpload size={16} />}>
      Upload
    </Button>
  </May>
);
const create = <NewLink href="/contacts/new">New contact</NewLink>;

const useListOptions = (isWanted: boolean) =>
  useAllLists(isWanted).map(({ uuid, name }) => ({ value: uuid, label: name }));

/** All contacts, found by name, number, list or attribute. */
export function ListOfContacts() {
  const [params, setParams] = useSearchParams();
  const filters = useFilters([
    { kind: 'search', name: 'search', label: 'Name or number' },
    { kind: 'late-select', name: 'list', label: 'List', useOptions: useListOptions },
    { kind: 'dates' },
    { kind: 'other', name: 'language_code' },
    { kind: 'other', name: 'attribute' },
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
  const query = { ...filters.query, ...(attributes.length > 0 && { attribute: attributes }) };
  const list = useList('/v2/contacts/', query);
  useLiveRefresh(['contact.', 'job.', 'list.'], ['/v2/contacts/']);
  const selection = useSelection(list);
  const may = useMayChange();
  return (
    <Page
      title="Contacts"
      description="The people you message."
      actions={
        <>
          <ExportContacts query={query} count={list.count} />
          {upload}
          {create}
        </>
      }
    >
      <Listing
        one="contact"
        label="Contacts"
        list={list}
        columns={columns}
        filters={filters}
        controls={
          <>
            <LanguageFilter
              value={filters.get('language_code')}
              onChange={(code) => filters.set('language_code', code)}
              rows={list.rows}
            />
            <AttributeFilter value={attributes} onChange={setAttributes} sample={list.rows[0]?.attributes} />
          </>
        }
        {...(may && { selection })}
        rowName={(row) => row.name || row.phone_number}
        href={(row) => `/contacts/${row.uuid}`}
        icon={IconAddressBook}
        hint="Upload a CSV file of people, or add them one by one. Campaigns are sent to lists of contacts."
        action={
          <Group justify="center">
            {upload}
            {create}
          </Group>
        }
      >
        <ActOnContacts selection={selection} rows={list.rows} list={filters.get('list')} />
      </Listing>
    </Page>
  );
}
