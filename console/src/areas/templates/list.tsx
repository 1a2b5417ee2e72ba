import { IconTemplate } from '@tabler/icons-react';
import { inside, textOf, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { languageName } from '../../parts/fields/language.ts';
import {
  type Column,
  Listing,
  NewLink,
  optionsOf,
  Page,
  Phone,
  Status,
  Time,
  TwoLines,
  useFilters,
} from '../../parts/index.ts';
import { SyncButton } from '../../parts/messages/sync-button.tsx';
import type { Template } from '../../parts/messages/use-definitions.ts';
import { useSenderOptions } from '../../parts/messages/use-senders.ts';
import { categoryNames, statusOptions } from './words.ts';

const bodyOf = ({ components }: Template): string =>
  textOf(components.map(inside).find(({ type }) => type === 'BODY')?.['text']);

const columns: Column<Template>[] = [
  {
    title: 'Name',
    sort: 'name',
    important: true,
    width: 'minmax(14rem, 3fr)',
    render: (row) => (
      <TwoLines first={row.name} second={bodyOf(row) || categoryNames[row.category ?? ''] || 'Content not synced'} />
    ),
  },
  { title: 'Language', width: '8rem', render: (row) => languageName(row.language_code) },
  {
    title: 'Category',
    width: '8.5rem',
    render: (row) => (row.category ? (categoryNames[row.category] ?? row.category) : '–'),
  },
  { title: 'Status', important: true, width: '8.5rem', render: (row) => <Status word={row.status} /> },
  { title: 'Number', width: 'minmax(10rem, 1fr)', render: (row) => <Phone number={row.chatapp_number} copy={false} /> },
  { title: 'Created', width: '7rem', sort: 'created', render: (row) => <Time at={row.created} /> },
];

const create = <NewLink href="/templates/new">New template</NewLink>;

/** Messages that the platform has approved, for writing first. */
export function TemplateList() {
  const filters = useFilters([
    { kind: 'search', name: 'search', label: 'Name' },
    { kind: 'select', name: 'status', label: 'Status', options: statusOptions },
    {
      kind: 'select',
      name: 'category',
      label: 'Category',
      options: optionsOf(categoryNames),
    },
    { kind: 'search', name: 'language_code', label: 'Language, such as en_GB' },
    { kind: 'late-select', name: 'chatapp_number', label: 'Your number', useOptions: useSenderOptions },
  ]);
  const list = useList('/v2/chatapp/message-templates/', filters.query as never);
  useLiveRefresh(['template.'], ['/v2/chatapp/message-templates/']);
  return (
    <Page
      title="Templates"
      description="Pre-approved messages, required when a person has not messaged you for 24 hours."
      actions={
        <>
          <SyncButton what="templates" />
          {create}
        </>
      }
    >
      <Listing
        one="template"
        label="Templates"
        list={list}
        columns={columns}
        filters={filters}
        rowHeight={58}
        href={(row) => `/templates/${row.uuid}`}
        icon={IconTemplate}
        hint="Create one here, or sync existing templates from the platform."
        action={create}
      />
    </Page>
  );
}
