import { Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconClock, IconMessage, IconPhone, IconPhoneCheck, IconPhoneX, IconUsers } from '@tabler/icons-react';
import { useOne } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { Chart, Loaded, Section, Stat, useFilters } from '../../parts/index.ts';
import { locale } from '../../parts/locale.ts';

const shortDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const today = () => new Date().toISOString().slice(0, 10);
const answered = { name: 'answered', label: 'Answered', color: 'brand.6' };
const missed = { name: 'missed', label: 'Missed', color: 'orange.6' };
const other = { name: 'other', label: 'Other', color: 'gray.5' };

/** How much a number was called and written to, by day and by hour. */
export function NumberInsights({ number }: { number: string }) {
  const { get, set } = useFilters([
    { kind: 'other', name: 'from' },
    { kind: 'other', name: 'to' },
  ]);
  const query = useOne('/v2/number/{number}/insights/', { number }, { from: get('from'), to: get('to') });
  useLiveRefresh(['call.ended', 'sms.'], ['/v2/number/{number}/insights/']);
  return (
    <Stack>
      <Group align="flex-end">
        {(['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            type="date"
            label={name === 'from' ? 'From' : 'To'}
            max={today()}
            value={get(name) || (query.data?.[name] ?? '')}
            onChange={(event) => set(name, event.currentTarget.value)}
          />
        ))}
        <Text size="sm" c="dimmed" pb={8}>
          Days and hours are UTC.
        </Text>
      </Group>
      <Loaded query={query}>
        {({ traffic }) => (traffic ? <Traffic traffic={traffic} /> : <Text>The account does not have it.</Text>)}
      </Loaded>
    </Stack>
  );
}

type Figures = NonNullable<NonNullable<ReturnType<typeof useOne<'/v2/number/{number}/insights/'>>['data']>['traffic']>;

function Traffic({ traffic }: { traffic: Figures }) {
  const withOther = <R extends { calls: number; answered: number; missed: number }>(row: R) => ({
    ...row,
    other: Math.max(0, row.calls - row.answered - row.missed),
  });
  const days = traffic.by_day.map((row) => ({ ...withOther(row), day: shortDay.format(new Date(row.date)) }));
  const hours = traffic.by_hour.map((row) => ({ ...withOther(row), time: `${String(row.hour).padStart(2, '0')}:00` }));
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
        <Stat label="Calls" value={traffic.calls} icon={IconPhone} />
        <Stat label="Answered" value={traffic.answered} icon={IconPhoneCheck} />
        <Stat label="Missed" value={traffic.missed} icon={IconPhoneX} hint="also busy and voicemail" />
        <Stat label="Minutes" value={traffic.minutes} icon={IconClock} />
        <Stat label="Callers" value={traffic.unique_callers} icon={IconUsers} hint="each once" />
        <Stat
          label="SMS"
          value={traffic.sms_in + traffic.sms_out}
          icon={IconMessage}
          hint={`${traffic.sms_in} in, ${traffic.sms_out} out`}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Section title="Calls by day">
          <Chart kind="bar" label="Calls by day" data={days} x="day" series={[answered, missed, other]} stacked />
        </Section>
        <Section title="Calls by hour of the day">
          <Chart kind="bar" label="Calls by hour" data={hours} x="time" series={[answered, missed, other]} stacked />
        </Section>
        <Section title="Minutes by day">
          <Chart
            kind="area"
            label="Minutes talked by day"
            data={days}
            x="day"
            series={[{ name: 'minutes', label: 'Minutes', color: 'blue.6' }]}
          />
        </Section>
        <Section title="SMS by day">
          <Chart
            kind="bar"
            label="SMS by day"
            data={days}
            x="day"
            series={[
              { name: 'sms_in', label: 'Received', color: 'brand.6' },
              { name: 'sms_out', label: 'Sent', color: 'blue.6' },
            ]}
            stacked
          />
        </Section>
      </SimpleGrid>
    </>
  );
}
