import { SegmentedControl } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { oneOf, type Schema } from '../../api/index.ts';
import { Chart, Section } from '../../parts/index.ts';
import { daysUntil, sayDay, sum } from './days.ts';

const count = 7;
const hourMs = 3_600_000;

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

/** The last week, a day a bar. Days that are over are read once in a while. */
export function ByDay({ today }: { today: string }) {
  const [subject, setSubject] = useState<Subject>('chat');
  const days = daysUntil(today, count);
  const results = useQueries({
    queries: days.map((day) => ({
      ...oneOf('/v2/insights/', {}, { from: day, to: day }),
      ...(day !== today && { staleTime: hourMs }),
    })),
  });
  const data = days.map((day, index) => ({ day: sayDay(day), ...figuresOf(subject, results[index]?.data) }));
  return (
    <Section
      title="The last seven days"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="What to show"
          data={subjects}
          value={subject}
          onChange={(value) => setSubject(value as Subject)}
        />
      }
    >
      <Chart
        kind="bar"
        label={`The last seven days: ${subject}`}
        data={data}
        x="day"
        series={series[subject]}
        stacked={subject !== 'intros'}
        height={240}
      />
    </Section>
  );
}

function figuresOf(subject: Subject, day: Schema<'Insights'> | undefined): Record<string, number> {
  if (!day) return {};
  if (subject === 'intros') return day.intros;
  if (subject === 'calls') {
    const { ANSWERED, ...missed } = day.inbound_calls;
    return { answered: ANSWERED, missed: sum(missed), out: sum(day.outbound_calls) };
  }
  const { QUEUED, SENT, DELIVERED, FAILED, CANCELLED, RECEIVED } = day[subject === 'chat' ? 'messages' : 'sms'];
  const read = subject === 'chat' ? day.messages.READ : 0;
  return { delivered: DELIVERED + read, open: QUEUED + SENT, failed: FAILED + CANCELLED, received: RECEIVED };
}
