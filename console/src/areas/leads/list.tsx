import { Anchor } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { Link } from 'wouter';
import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import {
  type Column,
  CsvButton,
  Listing,
  NewLink,
  optionsOf,
  Page,
  Phone,
  Status,
  Time,
  TwoLines,
  useFilters,
  useMayChange,
} from '../../parts/index.ts';
import { nameOf } from '../../parts/intros/name.ts';
import { useSelection } from '../../parts/selection/selection.tsx';
import { ActOnLeads } from './act-on-many.tsx';
import { leadStatuses, saySource, useOwners } from './words.ts';

type Item = Row<'/v2/chatapp/leads/'>;

/** Of an international number. */
const fewestDigits = 8;

const create = <NewLink href="/leads/new">New lead</NewLink>;

/** People who left their number, by an intro, a form or the API. */
export function ListOfLeads() {
  const intros = useList('/v2/chatapp/chat-intros/', undefined, { pageSize: 200 });
  const names = new Map(intros.rows.map((intro) => [intro.uuid, nameOf(intro)]));
  const options = [...names].map(([value, label]) => ({ value, label }));
  const filters = useFilters([
    { kind: 'search', name: 'search', label: 'Name or number' },
    { kind: 'other', name: 'number' },
    { kind: 'other', name: 'source' },
    { kind: 'select', name: 'status', label: 'Status', options: optionsOf(leadStatuses) },
    { kind: 'late-select', name: 'owner', label: 'Owner', useOptions: useOwners },
    { kind: 'select', name: 'chat_intro', label: 'Intro', options },
    { kind: 'dates' },
  ]);
  const { number = '', ...others } = filters.query;
  // The API takes whole numbers only: one that is still being typed is no filter yet.
  const isWhole = number.replaceAll(/\D/g, '').length >= fewestDigits;
  const query = isWhole ? filters.query : others;
  const list = useList('/v2/chatapp/leads/', query);
  useLiveRefresh(['lead.'], ['/v2/chatapp/leads/']);
  const selection = useSelection(list);
  const may = useMayChange();
  const columns: Column<Item>[] = [
    {
      title: 'Lead',
      important: true,
      width: 'minmax(12rem, 2fr)',
      render: (row) => <TwoLines first={row.name} second={<Phone number={row.phone_number} copy={false} />} />,
      csv: (row) => [row.name, row.phone_number].filter(Boolean).join(' '),
    },
    {
      title: 'Status',
      important: true,
      width: '6rem',
      render: (row) => <Status word={row.status} />,
      csv: (row) => row.status,
    },
    { title: 'Owner', width: 'minmax(7rem, 1fr)', render: (row) => row.owner || '–', csv: (row) => row.owner },
    {
      title: 'Source',
      width: 'minmax(8rem, 1fr)',
      render: (row) => saySource(row.source) || '–',
      csv: (row) => row.source,
    },
    {
      title: 'Intro',
      csv: ({ chat_intro }) => (chat_intro ? (names.get(chat_intro) ?? chat_intro) : ''),
      width: 'minmax(11rem, 2fr)',
      render: ({ chat_intro: intro }) =>
        intro ? (
          <Anchor component={Link} href={`/intros/${intro}`} size="sm" truncate>
            {names.get(intro) ?? 'Open the intro'}
          </Anchor>
        ) : (
          '–'
        ),
    },
    {
      title: 'Wrote to',
      width: 'minmax(10rem, 1fr)',
      render: (row) => <Phone number={row.chatapp_number} copy={false} />,
      csv: (row) => row.chatapp_number,
    },
    {
      title: 'Created',
      width: '7rem',
      sort: 'created',
      important: true,
      render: (row) => <Time at={row.created} />,
      csv: (row) => row.created,
    },
  ];
  return (
    <Page
      title="Leads"
      description="People who left their number through an intro, a form or the API."
      actions={
        <>
          <CsvButton path="/v2/chatapp/leads/" query={query} filename="leads.csv" />
          {create}
        </>
      }
    >
      <Listing
        one="lead"
        label="Leads"
        list={list}
        columns={columns}
        filters={filters}
        rowHeight={56}
        {...(may && { selection })}
        rowName={(row) => row.name || row.phone_number}
        href={(row) => `/leads/${encodeURIComponent(row.phone_number)}`}
        unfit="Enter the complete number, such as +44 7700 900123."
        icon={IconUserCheck}
        hint="Everyone who starts an intro becomes a lead. Forms can add leads through the API."
        action={create}
      >
        <ActOnLeads selection={selection} rows={list.rows} />
      </Listing>
    </Page>
  );
}
