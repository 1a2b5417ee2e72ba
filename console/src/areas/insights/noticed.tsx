import { Anchor, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { type Column, DataTable, EmptyState, Phone, Time } from '../../parts/index.ts';

type Item = Row<'/v2/events/'>;
type Data = Record<string, unknown>;

const kinds = [
  { value: 'insight.missed_call', label: 'Missed calls' },
  { value: 'insight.slow_reply', label: 'Slow replies' },
  { value: 'insight.keyword', label: 'Keywords' },
];
const hints: Record<string, string> = {
  'insight.missed_call': 'Missed calls that were not returned in time appear here.',
  'insight.slow_reply': 'Messages that were not answered in time appear here.',
  'insight.keyword': 'Messages with one of your keywords appear here.',
};

/** Where what an event is about is shown. */
const places: Record<string, [path: string, name: string]> = {
  message: ['/messages', 'Chat message'],
  sms: ['/sms', 'SMS'],
  call: ['/calls', 'Call'],
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function What({ event }: { event: Item }) {
  const data = event.data as Data;
  if (event.kind === 'insight.keyword') {
    const words = Array.isArray(data['keywords']) ? data['keywords'].join(', ') : '';
    return `${text(data['group'])}: ${words}`;
  }
  const person = text(data['caller']) || text(data['from']);
  return (
    <Group gap={6} wrap="nowrap">
      {person ? <Phone number={person} /> : 'Withheld'}
      <Text size="sm" c="dimmed">
        waiting for more than {String(data['window_minutes'] ?? data['target_minutes'] ?? '?')} minutes
      </Text>
    </Group>
  );
}

function About({ event }: { event: Item }) {
  const [path, name] = places[event.subject_type] ?? [];
  return path ? (
    <Anchor component={Link} href={`${path}/${event.subject}`} size="sm">
      {name}
    </Anchor>
  ) : (
    event.subject_type
  );
}

const columns: Column<Item>[] = [
  { title: 'What', important: true, width: 'minmax(14rem, 3fr)', render: (row) => <What event={row} /> },
  { title: 'About', width: '8rem', render: (row) => <About event={row} /> },
  { title: 'When', important: true, width: '8rem', render: (row) => <Time at={row.at} /> },
];

/** What the watching has found, newest first. */
export function Noticed() {
  const [params, setParams] = useSearchParams();
  const kind = params.get('kind') ?? 'insight.missed_call';
  const events = useList('/v2/events/', { kind });
  useLiveRefresh(['insight.'], ['/v2/events/']);
  return (
    <Stack>
      <SegmentedControl
        aria-label="Alert type"
        data={kinds}
        size="xs"
        value={kind}
        onChange={(value) => setParams({ kind: value }, { replace: true })}
        style={{ alignSelf: 'flex-start' }}
      />
      <div>
        <DataTable
          label="Alerts"
          list={events}
          columns={columns}
          href={({ subject_type, subject }) => {
            const [path] = places[subject_type] ?? [];
            return path && `${path}/${subject}`;
          }}
          empty={
            <EmptyState
              title="No alerts."
              hint={hints[kind]}
              action={
                <Anchor component={Link} href="/insights/settings">
                  Set up alerts
                </Anchor>
              }
            />
          }
        />
      </div>
    </Stack>
  );
}
