import { Text } from '@mantine/core';
import { useHere } from '../../../parts/account.tsx';
import { Chart } from '../../../parts/index.ts';
import { locale } from '../../../parts/locale.ts';
import type { LogDetail } from '../wizard/shares.ts';

const dayMs = 86_400_000;
const figure = new Intl.NumberFormat(locale);

/** How fast messages have left, from the first to the last. */
export function RateChart({ log }: { log: LogDetail }) {
  const { timeZone } = useHere();
  const [first, last] = [log.rate_history[0], log.rate_history.at(-1)];
  if (!first || !last) return <Text c="dimmed">Nothing sent yet.</Text>;
  if (first === last)
    return (
      <Text c="dimmed">
        {first.per_minute === 0 ? 'Nothing sent yet.' : `${figure.format(first.per_minute)} sent within one minute.`}
      </Text>
    );
  const isLong = Date.parse(last.at) - Date.parse(first.at) > dayMs;
  const clock = new Intl.DateTimeFormat(locale, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    ...(isLong && { day: 'numeric', month: 'short' }),
  });
  return (
    <Chart
      kind="bar"
      label="Messages per minute"
      data={log.rate_history.map(({ at, per_minute }) => ({ Time: clock.format(Date.parse(at)), per_minute }))}
      x="Time"
      series={[{ name: 'per_minute', label: 'Messages per minute', color: 'brand.6' }]}
      height={220}
    />
  );
}
