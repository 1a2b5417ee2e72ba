import { Button, Group } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { type Row, useAct, useList } from '../../../api/index.ts';
import { type Column, Listing, Status, Time, TwoLines, useFilters } from '../../../parts/index.ts';
import { channels, holdsRange, labelOf, rules, statuses, subjectOf } from './words.ts';

const path = '/v2/safeguard-incidents/';
type Incident = Row<typeof path>;

function Review({ incident: { uuid, status, subject } }: { incident: Incident }) {
  const review = useAct('post', '/v2/safeguard-incidents/{uuid}/review/', { invalidates: [path], done: 'Reviewed.' });
  if (!review.may) return null;
  const decide = (decision: 'RELEASED' | 'BLOCKED', label: string) =>
    status !== decision && (
      <Button
        size="compact-sm"
        variant="default"
        loading={review.isPending}
        onClick={() => review.mutate({ params: { uuid }, body: { status: decision } })}
        aria-label={`${label} +${subject}`}
      >
        {label}
      </Button>
    );
  return (
    <Group gap="xs" wrap="nowrap">
      {decide('RELEASED', 'Release')}
      {decide('BLOCKED', 'Block')}
    </Group>
  );
}

const columns: Column<Incident>[] = [
  {
    title: 'Safeguard',
    important: true,
    width: 'minmax(10rem, 1fr)',
    render: (row) => <TwoLines first={rules[row.rule] ?? row.rule} second={subjectOf(row)} />,
  },
  { title: 'Channel', width: '7rem', render: (row) => labelOf(channels, row.channel) },
  {
    title: 'Status',
    important: true,
    width: '9rem',
    render: (row) => <Status word={row.status} label={statuses[row.status] ?? row.status} />,
  },
  { title: 'Refused', width: '6rem', render: (row) => row.refused.toLocaleString() },
  {
    title: 'First from',
    width: 'minmax(9rem, 1fr)',
    render: (row) => <TwoLines first={row.sender} second={`to ${row.recipient}`} />,
  },
  { title: 'Last', width: '8rem', render: (row) => <Time at={row.modified} /> },
  {
    title: 'Review',
    width: '11rem',
    render: (row) => (holdsRange(row.rule) ? <Review incident={row} /> : null),
  },
];

/** What safeguards refused, and ranges of numbers that wait for a decision. */
export function Incidents() {
  const filters = useFilters([
    {
      kind: 'select',
      name: 'status',
      label: 'Status',
      options: Object.entries(statuses).map(([value, label]) => ({ value, label })),
    },
    {
      kind: 'select',
      name: 'rule',
      label: 'Safeguard',
      options: Object.entries(rules).map(([value, label]) => ({ value, label })),
    },
  ]);
  const list = useList(path, filters.query);
  return (
    <Listing
      one="incident"
      label="What safeguards refused"
      list={list}
      columns={columns}
      filters={filters}
      rowHeight={60}
      icon={IconShieldCheck}
      none="Nothing was refused."
      hint="Each safeguard that refuses something appears here once an hour or a day, with a count."
    />
  );
}
