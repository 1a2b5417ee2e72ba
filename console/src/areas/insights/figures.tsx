import { Group, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconMessage, IconPhone, IconSend, IconUserCheck } from '@tabler/icons-react';
import { useSearchParams } from 'wouter';
import { type Schema, useOne } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { useHere } from '../../parts/account.tsx';
import { Chart, Loaded, Section, Stat, sayWord } from '../../parts/index.ts';
import { before, change, lastDays, lengthOf, type Span, todayIn } from '../../parts/range/span.ts';

type Figures = Schema<'Insights'>;

const presets = [
  { value: '1', label: 'Today' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
];

/** Messages, SMS, calls, intros and leads of a span of days, beside the span before. */
export function InsightFigures() {
  const [params, setParams] = useSearchParams();
  const { timeZone } = useHere();
  const today = todayIn(timeZone);
  const usual = lastDays(today, 7);
  const span: Span = { from: params.get('from') ?? usual.from, to: params.get('to') ?? usual.to };
  const show = (next: Span) => setParams({ ...next }, { replace: true });
  const query = useOne('/v2/insights/', {}, { ...span });
  const earlier = useOne('/v2/insights/', {}, { ...before(span) }, { enabled: lengthOf(span) <= 31 });
  useLiveRefresh(['message.', 'sms.', 'call.ended', 'chat_intro.', 'lead.'], ['/v2/insights/']);
  const preset = span.to === today ? String(lengthOf(span)) : '';
  return (
    <Stack>
      <Group align="flex-end">
        <SegmentedControl
          aria-label="Span"
          data={presets}
          value={presets.some(({ value }) => value === preset) ? preset : ''}
          onChange={(value) => show(lastDays(today, Number(value)))}
        />
        {(['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            type="date"
            label={name === 'from' ? 'From' : 'To'}
            max={today}
            value={span[name]}
            onChange={(event) => event.currentTarget.value && show({ ...span, [name]: event.currentTarget.value })}
          />
        ))}
        <Text size="sm" c="dimmed" pb={8}>
          Days in {timeZone}; 31 at most.
        </Text>
      </Group>
      <Loaded query={query}>{(now) => <Drawn now={now} then={earlier.data} days={lengthOf(span)} />}</Loaded>
    </Stack>
  );
}

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((a, b) => a + b, 0);
const slices = (counts: Record<string, number>) =>
  Object.entries(counts)
    .filter(([, value]) => value > 0)
    .map(([name, value]) => ({ name: sayWord(name), value }));

function Drawn({ now, then, days }: { now: Figures; then: Figures | undefined; days: number }) {
  const calls = (of: Figures | undefined) => of && sum(of.inbound_calls) + sum(of.outbound_calls);
  const sent = (of: Figures | undefined) => of && sum(of.messages) - of.messages.RECEIVED;
  const texts = (of: Figures | undefined) => of && sum(of.sms);
  const hint = days === 1 ? 'than the day before' : `than the ${days} days before`;
  const stat = (label: string, value: number, earlier: number | undefined) => {
    const delta = change(value, earlier);
    return { label, value, ...(delta !== undefined && { delta, hint }) };
  };
  const funnel = [
    { step: 'Started', count: now.intros.started },
    { step: 'Replied', count: now.intros.replied },
    { step: 'Notified', count: now.intros.notified },
    { step: 'Connected', count: now.intros.connected },
  ];
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Stat {...stat('Chat messages sent', sent(now) ?? 0, sent(then))} icon={IconMessage} />
        <Stat {...stat('SMS', texts(now) ?? 0, texts(then))} icon={IconSend} />
        <Stat {...stat('Calls', calls(now) ?? 0, calls(then))} icon={IconPhone} />
        <Stat {...stat('Leads', now.leads, then?.leads)} icon={IconUserCheck} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Counts title="Chat messages by status" counts={now.messages} color="brand.6" />
        <Counts title="SMS by status" counts={now.sms} color="blue.6" />
        <Counts title="Calls to you, by result" counts={now.inbound_calls} color="brand.6" />
        <Counts title="Calls by you, by result" counts={now.outbound_calls} color="blue.6" />
        <Section title="Intros, step by step">
          {sum(now.intros) === 0 ? (
            <Nothing />
          ) : (
            <Chart
              kind="bar"
              label="Intros, step by step"
              data={funnel}
              x="step"
              series={[{ name: 'count', label: 'Intros', color: 'grape.6' }]}
            />
          )}
        </Section>
      </SimpleGrid>
    </>
  );
}

const Nothing = () => (
  <Text c="dimmed" size="sm">
    Nothing in these days.
  </Text>
);

const Counts = ({ title, counts, color }: { title: string; counts: Record<string, number>; color: string }) => (
  <Section title={title}>
    {sum(counts) === 0 ? (
      <Nothing />
    ) : (
      <Chart
        kind="bar"
        label={title}
        data={slices(counts)}
        x="name"
        series={[{ name: 'value', label: 'Count', color }]}
      />
    )}
  </Section>
);
