import { Button, Text } from '@mantine/core';
import { IconPlus, IconTemplate } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import {
  type Column,
  DataTable,
  EmptyState,
  Filters,
  Page,
  Phone,
  Status,
  Time,
  useFilters,
} from '../../parts/index.ts';
import { inside, textOf } from '../messages/bubble/fields.ts';
import type { Template } from '../messages/use-definitions.ts';
import { useSenders } from '../messages/use-senders.ts';
import { SyncButton } from './sync-button.tsx';
import { categoryNames, statusOptions } from './words.ts';

const bodyOf = ({ components }: Template): string =>
  textOf(components.map(inside).find(({ type }) => type === 'BODY')?.['text']);

const columns: Column<Template>[] = [
  {
    title: 'Name',
    important: true,
    width: 'minmax(14rem, 3fr)',
    render: (row) => (
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={500} truncate>
          {row.name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {bodyOf(row) || categoryNames[row.category ?? ''] || 'Known by its name alone'}
        </Text>
      </div>
    ),
  },
  { title: 'Language', width: '6.5rem', render: (row) => row.language_code },
  {
    title: 'Category',
    width: '8.5rem',
    render: (row) => (row.category ? (categoryNames[row.category] ?? row.category) : '–'),
  },
  { title: 'Status', important: true, width: '8.5rem', render: (row) => <Status word={row.status} /> },
  { title: 'Number', width: 'minmax(10rem, 1fr)', render: (row) => <Phone number={row.chatapp_number} copy={false} /> },
  { title: 'Created', width: '7rem', sort: 'created', render: (row) => <Time at={row.created} /> },
];

const create = (
  <Button component={Link} href="/templates/new" leftSection={<IconPlus size={16} />}>
    New template
  </Button>
);

/** Messages that the platform has approved, for writing first. */
export function TemplateList() {
  const [, navigate] = useLocation();
  const { options } = useSenders();
  const filters = useFilters([
    { kind: 'search', name: 'q', label: 'How the name begins' },
    { kind: 'select', name: 'status', label: 'Status', options: statusOptions },
    {
      kind: 'select',
      name: 'category',
      label: 'Category',
      options: Object.entries(categoryNames).map(([value, label]) => ({ value, label })),
    },
    { kind: 'search', name: 'language_code', label: 'Language, such as en_GB' },
    { kind: 'select', name: 'chatapp_number', label: 'Your number', options },
  ]);
  const list = useList('/v2/chatapp/message-templates/', filters.query as never);
  useLiveRefresh(['template.'], ['/v2/chatapp/message-templates/']);
  return (
    <Page
      title="Templates"
      description="A person who has not written for 24 hours gets only templates: texts with gaps that the platform has approved."
      actions={
        <>
          <SyncButton />
          {create}
        </>
      }
    >
      <Filters state={filters} />
      <DataTable
        label="Templates"
        list={list}
        columns={columns}
        rowHeight={58}
        ordering={filters.ordering}
        onOpen={(row) => navigate(`/templates/${row.uuid}`)}
        empty={
          filters.active ? (
            <EmptyState icon={IconTemplate} title="No template fits these filters." />
          ) : (
            <EmptyState
              icon={IconTemplate}
              title="No templates yet."
              hint="Write one here, or fetch those that the platform has already."
              action={create}
            />
          )
        }
      />
    </Page>
  );
}
