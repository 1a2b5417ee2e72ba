import { Text } from '@mantine/core';
import { IconHierarchy } from '@tabler/icons-react';
import { type Row, useList } from '../../api/index.ts';
import { type Column, Listing, NewLink, Page, Status, Time, useFilters, usePhoneFormat } from '../../parts/index.ts';
import { typesOf } from './values.ts';
import { channelWords } from './words.ts';

type Item = Row<'/v2/routing-configs/'>;

const create = <NewLink href="/routing/new">New routing</NewLink>;

/** All routing configs. */
export function RoutingList() {
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
  return (
    <Page title="Routing" description="Rules for calls, SMS and chats." actions={create}>
      <Listing
        one="routing config"
        label="Routing configs"
        list={list}
        columns={columns}
        filters={filters}
        href={(row) => `/routing/${row.uuid}`}
        icon={IconHierarchy}
        none="No routing yet."
        hint="Without routing, calls ring the target number. Create rules by time, caller, digits or keywords."
        action={create}
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
