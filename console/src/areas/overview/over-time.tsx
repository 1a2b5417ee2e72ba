import { Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { type Schema, useOne } from '../../api/index.ts';
import { useHere } from '../../parts/account.tsx';
import { Chart, Section } from '../../parts/index.ts';
import { firstOf, sayDay, sayHour, sum } from './days.ts';

const days = 7;

const sent = [
  { name: 'delivered', label: 'Arrived', color: 'brand.6' },
  { name: 'open', label: 'On the way', color: 'blue.5' },
  { name: 'failed', label: 'Failed or cancelled', color: 'red.6' },
  { name: 'received', label: 'Received', color: 'gray.5' },
];
const series = {
  chat: sent,
  sms: sent,
  calls: [
    { name: 'answered', label: 'Answered', color: 'brand.6' },
    { name: 'missed', label: 'Not answered', color: 'orange.6' },
    { name: 'out', label: 'Made', color: 'blue.5' },
  ],
  intros: [
    { name: 'started', label: 'Started', color: 'gray.5' },
    { name: 'replied', label: 'Replied', color: 'blue.5' },
    { name: 'notified', label: 'Agent notified', color: 'orange.6' },
    { name: 'connected', label: 'Connected', color: 'brand.6' },
  ],
};
type Subject = keyof typeof series;
const subjects = [
  { value: 'chat', label: 'Chat' },
  { value: 'sms', label: 'SMS' },
  { value: 'calls', label: 'Calls' },
  { value: 'intros', label: 'Intros' },
];

const spans = [
  { value: 'hour', label: 'Today by hour' },
  { value: 'day', label: 'Seven days' },
];

/** How it went: today hour by hour, or the last week day by day. */
export function OverTime({ today }: { today: string }) {
  const { timeZone } = useHere();
  const [subject, setSubject] = useState<Subject>('chat');
  const [by, setBy] = useState<'hour' | 'day'>('hour');
  const from = by === 'hour' ? today : firstOf(today, days);
  const { data } = useOne('/v2/insights/series/', {}, { by, from, to: today });
  const say = by === 'hour' ? sayHour(timeZone) : sayDay(timeZone);
  const pieces = data?.results ?? [];
  return (
    <Section
      title="Over time"
      actions={
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="Span of time"
            data={spans}
            value={by}
            onChange={(value) => setBy(value as 'hour' | 'day')}
          />
          <SegmentedControl
            size="xs"
            aria-label="What to show"
            data={subjects}
            value={subject}
            onChange={(value) => setSubject(value as Subject)}
          />
        </Group>
      }
    >
      <Chart
        kind="bar"
        label={`${by === 'hour' ? 'Today by hour' : 'The last seven days'}: ${subject}`}
        data={pieces.map((piece) => ({ when: say(piece.from), ...figuresOf(subject, piece) }))}
        x="when"
        series={series[subject]}
        stacked={subject !== 'intros'}
        height={240}
      />
    </Section>
  );
}

function figuresOf(subject: Subject, day: Schema<'Insights'>): Record<string, number> {
  if (subject === 'intros') return day.intros;
  if (subject === 'calls') {
    const { ANSWERED, ...missed } = day.inbound_calls;
    return { answered: ANSWERED, missed: sum(missed), out: sum(day.outbound_calls) };
  }
  const { QUEUED, SENT, DELIVERED, FAILED, CANCELLED, RECEIVED } = day[subject === 'chat' ? 'messages' : 'sms'];
  const read = subject === 'chat' ? day.messages.READ : 0;
  return { delivered: DELIVERED + read, open: QUEUED + SENT, failed: FAILED + CANCELLED, received: RECEIVED };
}
