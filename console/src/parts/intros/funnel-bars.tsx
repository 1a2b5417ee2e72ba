import { Skeleton, Stack, Text, Tooltip } from '@mantine/core';
import { locale } from '../locale.ts';
import { type Funnel, saySeconds, sayShare, stepsOf } from './funnel.ts';
import classes from './funnel-bars.module.css';

const figure = new Intl.NumberFormat(locale);

/** A funnel as bars, one below the other, with the share of those who started and the median times. */
export function FunnelBars({ funnel }: { funnel: Funnel | undefined }) {
  if (!funnel)
    return (
      <Stack gap="xs" aria-busy="true">
        {[0, 1, 2, 3, 4, 5, 6].map((index) => (
          <Skeleton key={index} h={26} />
        ))}
      </Stack>
    );
  const steps = stepsOf(funnel);
  const most = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <ol className={classes['steps']} aria-label="Funnel">
      {steps.map(({ label, hint, count, share, median }, index) => (
        <li key={label} className={classes['step']} data-first={index === 0 || undefined}>
          <Tooltip label={hint} position="top-start">
            <Text size="sm">{label}</Text>
          </Tooltip>
          <div className={classes['track']} aria-hidden>
            {count > 0 && <div className={classes['bar']} style={{ width: `${(count / most) * 100}%` }} />}
          </div>
          <div>
            <Text size="sm" component="span" fw={600}>
              {figure.format(count)}
            </Text>
            {share !== null && (
              <Text size="sm" component="span" c="dimmed">
                {` · ${sayShare(share)}`}
              </Text>
            )}
            {median && (
              <Text size="xs" c="dimmed">
                {saySeconds(median.seconds)} after {median.from}
              </Text>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
