import { Button, Text } from '@mantine/core';
import { IconHierarchy, IconPlus } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { type Row, useList } from '../../api/index.ts';
import {
  type Column,
  DataTable,
  EmptyState,
  Filters,
  Page,
  Status,
  Time,
  useFilters,
  usePhoneFormat,
} from '../../parts/index.ts';
import { typesOf } from './values.ts';
import { channelWords } from './words.ts';

type Item = Row<'/v2/routing-configs/'>;

const create = (
  <Button component={Link} href="/routing/new" leftSection={<IconPlus size={16} />}>
    New routing
  </Button>
);

/** All routing configs. */
export function RoutingList() {
  const [, navigate] = useLocation();
  const filters = useFilters([
    {
      kind: 'select',
      name: 'channel',
      label: 'Channel',
      options: (Object.keys(typesOf) as (keyof typeof typesOf)[]).map((value) => ({
        value,
        label: channelWords[value],
      })),
    },
    { kind: 'search', name: 'number', label: 'Decides for the number' },
    { kind: 'dates' },
  ]);
  const list = useList('/v2/routing-configs/', filters.query);
  const empty = filters.active ? (
    <EmptyState title="No routing config fits these filters." />
  ) : (
    <EmptyState
      icon={IconHierarchy}
      title="No routing yet."
      hint="Without it, calls ring the target number of each number. Create one to decide by hours, callers, digits or words."
      action={create}
    />
  );
  return (
    <Page title="Routing" description="Rules that say who takes a call, an SMS or a chat." actions={create}>
      <Filters state={filters} />
      <DataTable
        label="Routing configs"
        list={list}
        columns={columns}
        ordering={filters.ordering}
        empty={empty}
        onOpen={(row) => navigate(`/routing/${row.uuid}`)}
      />
    </Page>
  );
}

const columns: Column<Item>[] = [
  {
    title: 'Name',
    important: true,
    width: 'minmax(10rem, 2fr)',
    render: (row) => (
      <div style={{ minWidth: 0 }}>
        {row.name}
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {channelWords[row.channel]}
        </Text>
      </div>
    ),
  },
  { title: 'Channel', width: '9rem', render: (row) => channelWords[row.channel] },
  { title: 'Numbers', width: 'minmax(11rem, 1.5fr)', render: (row) => <Numbers numbers={row.numbers} /> },
  { title: 'Routes', width: '5rem', align: 'right', render: (row) => row.routes.length },
  {
    title: 'State',
    important: true,
    width: '8rem',
    render: (row) => <Status word={row.enabled ? 'ENABLED' : 'DISABLED'} />,
  },
  { title: 'Created', width: '8rem', sort: 'created', render: (row) => <Time at={row.created} /> },
];

function Numbers({ numbers }: { numbers: string[] }) {
  const say = usePhoneFormat();
  const [first] = numbers;
  if (!first)
    return (
      <Text size="sm" c="dimmed">
        All others
      </Text>
    );
  return `${say(first)}${numbers.length > 1 ? ` and ${numbers.length - 1} more` : ''}`;
}
