import { ApiError } from '../../platform/errors.ts';
import { destinationOf, rangeOf } from './destination.ts';
import { type Channel, closedKey, isAbove, type Policy } from './policy.ts';
import type { HoldingRule, Rule } from './schemas.ts';

/** Something that is about to be sent or dialled. */
export interface Sending {
  accountId: string;
  channel: Channel;
  /** What the sender is compared by (`senderKey`). */
  senderKey: string;
  digits: string;
  /** Segments of an SMS; 1 for what has none. */
  units: number;
  /** Whether it is a one-time password, whose use the account reports. */
  expectsFeedback?: boolean;
}

/** Why something is not sent. */
export interface Refusal {
  rule: Rule;
  /** What the rule is about: a country, a prefix, a range, a cap. */
  subject: string;
  error: ApiError;
}

const notAllowed = (rule: Rule, subject: string, detail: string): Refusal => ({
  rule,
  subject,
  error: new ApiError('destination_not_allowed', { detail }),
});

/** Why a destination is not allowed at all, whatever was sent before; all reasons, for an explanation. */
export function* findRefusals(policy: Policy, { channel, senderKey, digits }: Sending): Generator<Refusal> {
  const { settings } = policy;
  const { country, priceClass } = destinationOf(digits);
  // A short code is of the country it is sent in, and has no prefix.
  const isShortCode = country === undefined && priceClass === 'STANDARD';
  for (const { allowed_countries, blocked_prefixes } of isShortCode ? [] : policy.rulesOf(senderKey)) {
    if (allowed_countries && !(country !== undefined && allowed_countries.includes(country))) {
      const where = country ?? 'networks of no country';
      yield notAllowed('COUNTRY', country ?? '', `The safeguards of this account do not allow sending to ${where}.`);
    }
    const prefix = blocked_prefixes.find((one) => digits.startsWith(one.slice(1)));
    if (prefix !== undefined) {
      yield notAllowed('PREFIX', prefix, `The safeguards of this account block numbers that begin with ${prefix}.`);
    }
  }
  if (isAbove(priceClass, settings.highest_price_class)) {
    const kind = priceClass === 'PREMIUM' ? 'premium-rate numbers' : 'shared-cost numbers';
    yield notAllowed('PRICE_CLASS', priceClass, `The safeguards of this account do not allow ${kind}.`);
  }
  const range = rangeOf(digits);
  const closedBy = range === undefined ? undefined : policy.closedRanges.get(closedKey(channel, range));
  if (range !== undefined && closedBy) yield heldRange(closedBy, range);
}

const whyHeld: Record<HoldingRule, string> = {
  PUMPING: 'many of them were sent to in a short time',
  OTP_CONVERSION: 'few of the one-time passwords sent to them were used',
};

export const heldRange = (rule: HoldingRule, range: string): Refusal => ({
  rule,
  subject: range,
  error: new ApiError('destination_held', {
    detail: `Numbers that begin with +${range} are held for review: ${whyHeld[rule]}.`,
  }),
});
