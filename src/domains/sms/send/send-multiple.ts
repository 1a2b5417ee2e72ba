import type { Deps } from '../../../deps.ts';
import { ApiError, type FieldErrors, ValidationError } from '../../../platform/errors.ts';
import { bodyValidator } from '../../../platform/http/validation/index.ts';
import { countryOf } from '../../accounts/index.ts';
import { presentSms, SmsCreate, type SmsCreateMultiple } from '../schemas.ts';
import { sendSmsAll } from './send.ts';

const problemsOf = bodyValidator(SmsCreate);

/** Sends what can be sent; for each SMS of the request, in its order, its record or what is wrong with it. */
export async function sendMultiple(deps: Deps, accountId: string, request: SmsCreateMultiple): Promise<object[]> {
  const country = await countryOf(deps, accountId);
  const wanted = itemsOf(request).map((item) => ({ item, errors: problemsOf(item, country) }));
  const good = wanted.filter(({ errors }) => errors === null);
  const results = await sendSmsAll(
    deps,
    good.map(({ item }) => ({ accountId, request: item as SmsCreate })),
  );
  const resultOf = new Map(good.map((one, index) => [one, results[index]!]));
  return wanted.map((one) => {
    const result = resultOf.get(one);
    if (!result) return { errors: one.errors };
    return result.status === 'fulfilled' ? presentSms(result.value) : { errors: answerTo(result.reason) };
  });
}

/** Whom the SMS of a request are from, for tokens that are bound to some numbers. */
export const sendersIn = ({ messages, from }: SmsCreateMultiple): unknown[] =>
  messages ? messages.map((one) => (one as { from?: unknown } | null)?.from) : [from];

function itemsOf({ messages, to, ...shared }: SmsCreateMultiple): unknown[] {
  if (messages !== undefined && to !== undefined) {
    throw new ValidationError({ non_field_errors: ['Give either messages or to.'] });
  }
  if (messages !== undefined) return messages;
  const missing = Object.entries({ from: shared.from, to, text: shared.text }).filter(
    ([, value]) => value === undefined,
  );
  if (missing.length > 0) {
    throw new ValidationError(Object.fromEntries(missing.map(([field]) => [field, ['This field is required.']])));
  }
  return to!.map((one) => ({ ...shared, to: one }));
}

/** The body with which the single request would have been refused. */
function answerTo(reason: unknown): FieldErrors | FieldErrors[] | { detail: string; code: string } {
  if (reason instanceof ValidationError) return reason.errors;
  if (reason instanceof ApiError) return { detail: reason.message, code: reason.code };
  throw reason;
}
