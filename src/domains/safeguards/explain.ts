import type { Static } from 'typebox';
import type { Deps } from '../../deps.ts';
import { phoneReader } from '../accounts/index.ts';
import { check } from './change.ts';
import { destinationOf } from './destination.ts';
import { capKey, makePolicy, senderKey, windowOf } from './policy.ts';
import { findPolicies, findUses } from './queries.ts';
import { explainPasswords } from './ranges.ts';
import { amountOf, capReached } from './reserve.ts';
import { findRefusals } from './rules.ts';
import { defaults, type ExplainRequest } from './schemas.ts';

/** What the safeguards would do with something, and why; nothing is counted. */
export async function explain(deps: Deps, accountId: string, request: Static<typeof ExplainRequest>) {
  const { channel, sender, to, segments: units = 1, expect_feedback: expectsFeedback = false } = request;
  const read = await phoneReader(deps, accountId);
  const stored = (await findPolicies(deps.db, [accountId])).get(accountId);
  const settings = { ...defaults, ...stored?.settings, ...request.safeguards };
  check(settings);
  const policy = await makePolicy(deps, accountId, settings, stored ?? { feedback_since: null, closed: [], open: [] });
  const sending = { accountId, channel, senderKey: senderKey(sender, read), digits: read(to), units, expectsFeedback };
  const { country, priceClass } = destinationOf(sending.digits);
  const now = deps.clock.now();
  const counting = settings.caps.flatMap((cap) => {
    const amount = amountOf(cap, policy, sending);
    return amount === undefined ? [] : [{ cap, amount, key: capKey(cap, sending), ...windowOf(cap.window, now) }];
  });
  const keys = counting.map(({ key }) => key);
  const uses =
    keys.length === 0
      ? new Map<string, number>()
      : await findUses(deps.db, accountId, keys, windowOf('DAY', now).start);
  const caps = counting.map(({ start, key, ...rest }) => ({
    ...rest,
    key,
    used: uses.get(`${key} ${start.getTime()}`) ?? 0,
  }));
  const passwords = await explainPasswords(deps, policy, sending, now);
  const refusals = [
    ...findRefusals(policy, sending),
    ...passwords.refusals,
    ...caps
      .filter(({ cap, amount, used }) => used + amount > cap.max + 1e-9)
      .map(({ cap, key }) => capReached({ key, rule: cap }, now)),
  ];
  return {
    allowed: refusals.length === 0,
    country: country ?? null,
    price_class: priceClass,
    cost: units * (policy.prices.priceOf(channel, sending.digits) ?? 0),
    refusals: refusals.map(({ rule, error }) => ({ rule, code: error.code, detail: error.message })),
    caps: caps.map(({ cap, used }) => ({ ...cap, used })),
    otp_conversion: passwords.sum ? { recipients: passwords.sum.sent, used: passwords.sum.used } : null,
  };
}
