import { Alert, Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { type Schema, useOne } from '../../api/index.ts';
import { useHere } from '../../parts/account.tsx';
import { sayLength } from '../../parts/audio/sound.ts';
import { CsvButton, Loaded, Page, Section, Stat } from '../../parts/index.ts';
import { type Comparison, RangeField, useRange } from '../../parts/range/range.tsx';
import { ReportChart } from '../../parts/range/report-chart.tsx';
import { change, lengthOf } from '../../parts/range/span.ts';
import { ReportTable } from './table.tsx';
import { type Grouping, groupingsOf, isTime, type Metric, metrics, sayGrouping } from './words.ts';

type Report = Schema<'Report'>;

const directions = [
  { value: 'INBOUND', label: 'Inbound' },
  { value: 'OUTBOUND', label: 'Outbound' },
];
const recountMs = 3000;

/** What stands beside the difference, or in its place where there was nothing to compare with. */
const sayComparison: Record<Exclude<Comparison, 'none'>, { than: string; nothing: string }> = {
  previous: { than: 'than the period before', nothing: 'none in the period before' },
  year: { than: 'than a year before', nothing: 'none a year before' },
};

/** One metric over any days: a chart, a table, and the list behind every figure. */
export function ReportPage() {
  const [params, setParams] = useSearchParams();
  const { range, set } = useRange(30);
  const days = lengthOf(range);
  const asked = params.get('metric') ?? '';
  const metric: Metric = asked in metrics ? (asked as Metric) : 'calls';
  const groupings = groupingsOf(metric, days);
  const grouping = groupings.find(({ value }) => value === params.get('group_by'))?.value ?? 'day';
  const direction =
    metric === 'calls' ? directions.find(({ value }) => value === params.get('direction'))?.value : undefined;
  const choose = (name: string, value: string | null) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  const query = { ...range, metric, group_by: grouping, ...(direction && { direction: direction as 'INBOUND' }) };
  const report = useOne('/v2/reports/', {}, query, {
    refetchInterval: (found) => (found?.complete === false ? recountMs : false),
  });
  return (
    <Page
      title="Reports"
      description="Any days, grouped and compared. Every figure opens its list."
      actions={
        <>
          <Button variant="default" component={Link} href="/reports/schedules">
            Schedules
          </Button>
          <CsvButton path="/v2/reports/" query={query} filename={`${metric}-by-${grouping}.csv`} />
        </>
      }
    >
      <Stack>
        <Group gap="sm" align="flex-end">
          <Select
            aria-label="Report on"
            data={Object.entries(metrics).map(([value, { label }]) => ({ value, label }))}
            allowDeselect={false}
            value={metric}
            onChange={(value) => choose('metric', value)}
            w={190}
          />
          <Select
            aria-label="Group by"
            data={groupings}
            allowDeselect={false}
            value={grouping}
            onChange={(value) => choose('group_by', value)}
            w={170}
          />
          {metric === 'calls' && (
            <Select
              aria-label="Direction"
              placeholder="Both directions"
              data={directions}
              clearable
              value={direction ?? null}
              onChange={(value) => choose('direction', value)}
              w={160}
            />
          )}
        </Group>
        <RangeField range={range} set={set} />
        <Loaded query={report}>{(told) => <Told report={told} grouping={grouping} compare={range.compare} />}</Loaded>
      </Stack>
    </Page>
  );
}

function Told({ report, grouping, compare }: { report: Report; grouping: Grouping; compare: Comparison }) {
  const { timeZone } = useHere();
  const { total, rows } = report;
  const { label } = metrics[report.metric];
  const delta = change(total.count, total.previous?.count);
  return (
    <>
      {!report.complete && (
        <Alert color="blue">Some days are still being counted. The figures fill in as they are ready.</Alert>
      )}
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Stat
          label={label}
          value={total.count}
          {...(delta !== undefined && { delta })}
          hint={
            compare === 'none' || !total.previous
              ? undefined
              : sayComparison[compare][delta === undefined ? 'nothing' : 'than']
          }
        />
        {report.metric === 'calls' && <Stat label="Talk time" value={sayLength(total.talk_seconds ?? 0)} />}
        {report.metric === 'sms' && <Stat label="Parts" value={total.segments ?? 0} />}
      </SimpleGrid>
      {isTime(grouping) && (
        <Section title={`${label} by ${sayGrouping(grouping).toLowerCase()}`}>
          <ReportChart report={report} label={`${label} by ${sayGrouping(grouping).toLowerCase()}`} height={260} />
        </Section>
      )}
      <Section title={isTime(grouping) ? 'Figures' : `${label} by ${sayGrouping(grouping).toLowerCase()}`}>
        {rows.length === 0 && <Text c="dimmed">Nothing in these days.</Text>}
        {rows.length > 0 && <ReportTable report={report} grouping={grouping} timeZone={timeZone} />}
      </Section>
    </>
  );
}
