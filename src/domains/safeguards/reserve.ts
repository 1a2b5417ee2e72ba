import type { Deps } from '../../deps.ts';
import { ApiError } from '../../platform/errors.ts';
import { capKey, type Policy, windowOf } from './policy.ts';
import { type Ask, giveBackToCaps, takeFromCaps } from './queries.ts';
import type { Refusal, Sending } from './rules.ts';
import type { Cap } from './schemas.ts';

/** Something that counts, and by whose policy. */
export interface Counted<S extends Sending> {
  sending: S;
  policy: Policy;
}

/** What counts toward one cap, in one window. */
interface Use<S extends Sending> extends Ask {
  cap: number;
  rule: Cap;
  sendings: { sending: S; amount: number }[];
}

/**
 * Takes what is sent from the caps of its account, in the order given. What does not fit into one of them is refused, and what the
 * others gave for it is given back.
 */
export async function reserve<S extends Sending>(
  { db }: Pick<Deps, 'db'>,
  counted: Counted<S>[],
  now: Date,
): Promise<Map<S, Refusal>> {
  const uses = usesOf(counted, now);
  const refusals = new Map<S, Refusal>();
  if (uses.length === 0) return refusals;
  const granted = await takeFromCaps(db, uses);
  const takers = uses.map((use) => {
    let left = granted.get(`${use.accountId} ${use.key}`) ?? 0;
    // Fractions of money add up with errors far below this.
    const fits = ({ amount }: { amount: number }) => amount <= left + 1e-9;
    return use.sendings.filter((one) => {
      if (!fits(one)) {
        if (!refusals.has(one.sending)) refusals.set(one.sending, capReached(use, now));
        return false;
      }
      left -= one.amount;
      return true;
    });
  });
  const surplus = uses.map((use, index): Ask => {
    const kept = takers[index]!.filter(({ sending }) => !refusals.has(sending));
    const sum = kept.reduce((total, { amount }) => total + amount, 0);
    return { ...use, amount: (granted.get(`${use.accountId} ${use.key}`) ?? 0) - sum };
  });
  const returned = surplus.filter(({ amount }) => amount > 1e-9);
  if (returned.length > 0) await giveBackToCaps(db, returned);
  return refusals;
}

function usesOf<S extends Sending>(counted: Counted<S>[], now: Date): Use<S>[] {
  const uses = new Map<string, Use<S>>();
  for (const { sending, policy } of counted) {
    for (const rule of policy.settings.caps) {
      const amount = amountOf(rule, policy, sending);
      if (amount === undefined) continue;
      const key = capKey(rule, sending);
      const name = `${sending.accountId} ${key}`;
      const use = uses.get(name) ?? {
        accountId: sending.accountId,
        key,
        windowStart: windowOf(rule.window, now).start,
        amount: 0,
        cap: rule.max,
        rule,
        sendings: [],
      };
      // Of two caps of one kind the lower one counts.
      if (rule.max < use.cap) Object.assign(use, { cap: rule.max, rule });
      if (!use.sendings.some((one) => one.sending === sending)) {
        use.amount += amount;
        use.sendings.push({ sending, amount });
      }
      uses.set(name, use);
    }
  }
  return [...uses.values()];
}

/** How much something uses of a cap; undefined: it does not count there. */
export function amountOf(cap: Cap, policy: Policy, { channel, digits, units }: Sending): number | undefined {
  if (cap.channel !== 'ALL' && cap.channel !== channel) return undefined;
  return cap.measure === 'COUNT' ? units : units * (policy.prices.priceOf(channel, digits) ?? 0);
}

/** Says which cap, and when its window ends. Not a 429: a client that waits and repeats by itself would wait for hours. */
export function capReached({ key, rule }: { key: string; rule: Cap }, now: Date): Refusal {
  const end = windowOf(rule.window, now).end;
  const whom = { ACCOUNT: '', SENDER: ' for a sender', RECIPIENT: ' for a recipient', COUNTRY: ' for a country' }[
    rule.per
  ];
  const what = rule.measure === 'COST' ? `a cost of ${rule.max}` : String(rule.max);
  const detail = `The cap of ${what} per ${rule.window.toLowerCase()}${whom} is reached. It opens again at ${end.toISOString()}.`;
  return {
    rule: 'CAP',
    subject: key,
    error: new ApiError(rule.per === 'RECIPIENT' ? 'recipient_cap_reached' : 'sending_cap_reached', { detail }),
  };
}
