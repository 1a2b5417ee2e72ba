import type { Deps } from '../../../deps.ts';
import { ValidationError } from '../../../platform/errors.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import { type DaySpan, lengthOf, spanOf, trafficOf } from '../logs/traffic.ts';
import { findNumber } from '../queries.ts';
import { knowledgeOf } from './knowledge.ts';

const longestSpanDays = 366;

/** What is known of a number, whoever has it, and the traffic of one's own. */
export async function insightsOf({ db, clock }: Deps, accountId: string, number: string, wanted: Partial<DaySpan>) {
  const span = checkedSpan(spanOf(wanted, clock.now()));
  const digits = phoneDigits(number);
  const isOwn = (await findNumber(db, accountId, digits)) !== undefined;
  return {
    number: `+${digits}`,
    known: { ...knowledgeOf(digits), is_own: isOwn },
    ...span,
    traffic: isOwn ? await trafficOf(db, accountId, digits, span) : null,
  };
}

function checkedSpan(span: DaySpan): DaySpan {
  const days = lengthOf(span);
  if (days < 1) throw new ValidationError({ to: ['Ensure this day is not before `from`.'] });
  if (days > longestSpanDays)
    throw new ValidationError({ from: [`Ensure this span has no more than ${longestSpanDays} days.`] });
  return span;
}
