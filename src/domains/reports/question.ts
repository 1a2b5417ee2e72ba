import { type FieldErrors, ValidationError } from '../../platform/errors.ts';
import { addDays, type Comparison, type DaySpan, lengthOf, todayIn } from './days.ts';
import { type Grouping, isDimension, type Metric, metricRules } from './metrics.ts';

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

/** What cannot be answered, by the name of the field; undefined: all of it can. */
export function questionErrors({
  metric,
  group_by,
  direction,
}: Pick<Question, 'metric' | 'group_by' | 'direction'>): FieldErrors | undefined {
  const { dimensions } = metricRules[metric];
  if (isDimension(group_by) && !dimensions.includes(group_by)) {
    const sentence = `${metric} cannot be grouped by ${group_by}. Use a span of time or one of: ${dimensions.join(', ')}.`;
    return { group_by: [`${sentence[0]!.toUpperCase()}${sentence.slice(1)}`] };
  }
  if (direction !== undefined && metric !== 'calls') {
    return { direction: ['Only calls have a direction.'] };
  }
  return undefined;
}

export function checkQuestion(question: Parameters<typeof questionErrors>[0]): void {
  const errors = questionErrors(question);
  if (errors) throw new ValidationError(errors);
}

/** The days that are asked for. */
export function spanOf(asked: Pick<Question, 'from' | 'to' | 'group_by'>, timeZone: string, now: Date): DaySpan {
  const span = openSpan(asked, todayIn(timeZone, now));
  const errors = errorsOf(span, asked.group_by);
  if (errors) throw new ValidationError(errors);
  return span;
}

/** What is wrong with the days, wherever they begin. */
export const spanErrors = (asked: Pick<Question, 'from' | 'to' | 'group_by'>): FieldErrors | undefined =>
  asked.from === undefined || asked.to === undefined
    ? undefined
    : errorsOf({ from: asked.from, to: asked.to }, asked.group_by);

function openSpan({ from, to, group_by }: Pick<Question, 'from' | 'to' | 'group_by'>, today: string): DaySpan {
  const last = to ?? today;
  if (from !== undefined) return { from, to: last };
  return { from: last < earliest ? last : addDays(last, group_by === 'hour' ? 0 : 1 - usualDays), to: last };
}

function errorsOf({ from, to }: DaySpan, group_by: Grouping): FieldErrors | undefined {
  if (from > to) return { from: ['Ensure this day is not after the last one.'] };
  if (from < earliest) return { from: ['There is no data for that time.'] };
  if (to > '9998') return { to: ['There is no data for that time.'] };
  const most = group_by === 'hour' ? mostDaysByHour : mostDays;
  if (lengthOf({ from, to }) <= most) return undefined;
  const hint = group_by === 'hour' ? 'By the hour, ask' : 'Ask';
  return { from: [`${hint} for no more than ${most} days at once.`] };
}
