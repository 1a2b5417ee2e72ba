import { ValidationError } from '../../platform/errors.ts';
import { addDays, type Comparison, type DaySpan, lengthOf, todayIn } from './days.ts';
import { type Grouping, isDimension, isSeries, type Metric, metricRules } from './metrics.ts';

/** What a report is asked. Left out, `from` is 29 days before `to`, and `to` is today. */
export interface Question {
  metric: Metric;
  group_by: Grouping;
  compare: Comparison;
  limit: number;
  from?: string;
  to?: string;
  direction?: 'INBOUND' | 'OUTBOUND';
}

const usualDays = 30;
/** Ten years. */
export const mostDays = 3660;
export const mostDaysByHour = 31;
const earliest = '1971-01-01';

/** Refuses what cannot be answered, by the name of the field. */
export function checkQuestion({ metric, group_by, direction }: Pick<Question, 'metric' | 'group_by' | 'direction'>) {
  const { dimensions } = metricRules[metric];
  if (isDimension(group_by) && !dimensions.includes(group_by)) {
    const sentence = `${metric} cannot be grouped by ${group_by}. Use a span of time or one of: ${dimensions.join(', ')}.`;
    throw new ValidationError({ group_by: [`${sentence[0]!.toUpperCase()}${sentence.slice(1)}`] });
  }
  if (direction !== undefined && metric !== 'calls') {
    throw new ValidationError({ direction: ['Only calls are told apart by direction.'] });
  }
}

export function spanOf(
  { from, to, group_by }: Pick<Question, 'from' | 'to' | 'group_by'>,
  timeZone: string,
  now: Date,
): DaySpan {
  const last = to ?? todayIn(timeZone, now);
  const first = from ?? addDays(last, group_by === 'hour' ? 0 : 1 - usualDays);
  if (first > last) throw new ValidationError({ from: ['Ensure this day is not after the last one.'] });
  if (first < earliest) throw new ValidationError({ from: ['There is nothing to tell of that time.'] });
  if (last > '9998') throw new ValidationError({ to: ['There is nothing to tell of that time.'] });
  const most = isSeries(group_by) && group_by === 'hour' ? mostDaysByHour : mostDays;
  if (lengthOf({ from: first, to: last }) > most) {
    const hint = most === mostDaysByHour ? 'By the hour, ask' : 'Ask';
    throw new ValidationError({ from: [`${hint} for no more than ${most} days at once.`] });
  }
  return { from: first, to: last };
}
