import { Group, Text } from '@mantine/core';
import { IconHeadset } from '@tabler/icons-react';
import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { type Column, Listing, NewLink, Page, Phone, Status, Time, useFilters } from '../../parts/index.ts';

type Item = Row<'/v2/agent-configs/'>;

const columns: Column<Item>[] = [
  { title: 'Name', important: true, width: 'minmax(9rem, 1.3fr)', render: (row) => row.name },
  {
    title: 'Now',
    important: true,
    width: '9.5rem',
    render: (row) => (
      <Status word={row.available ? 'AVAILABLE' : 'DISABLED'} label={row.available ? 'Available' : why(row)} />
    ),
  },
  {
    title: 'Rings',
    width: 'minmax(11rem, 1.3fr)',
    render: (row) => (
      <Group gap={6} wrap="nowrap">
        <Phone number={row.numbers[0]} />
        {row.numbers.length > 1 && (
          <Text size="xs" c="dimmed">
            +{row.numbers.length - 1}
          </Text>
        )}
      </Group>
    ),
  },
  {
    title: 'Skills',
    width: 'minmax(8rem, 1.3fr)',
    render: (row) => row.skills.join(', ') || '–',
  },
  { title: 'Last assigned', width: '8rem', render: (row) => <Time at={row.last_assigned} /> },
  { title: 'Created', width: '8rem', sort: 'created', render: (row) => <Time at={row.created} /> },
];

const why = ({ away }: Item): string => (away ? 'Away' : 'Not at work');

const create = <NewLink href="/agents/new">New agent</NewLink>;

/** The people whom calls and chats go to. */
export function AgentList() {
  const filters = useFilters([{ kind: 'dates' }]);
  const list = useList('/v2/agent-configs/', filters.query);
  useLiveRefresh(['agent.', 'call.answered', 'message.routed'], ['/v2/agent-configs/']);
  return (
    <Page
      title="Agents"
      description="The people who take calls and chats. Availability follows their working hours."
      actions={create}
    >
      <Listing
        one="agent"
        label="Agents"
        list={list}
        columns={columns}
        filters={filters}
        href={(row) => `/agents/${row.uuid}`}
        icon={IconHeadset}
        hint="An agent is a person with numbers, skills and hours. Routing hands calls and messages to them."
        action={create}
      />
    </Page>
  );
}
