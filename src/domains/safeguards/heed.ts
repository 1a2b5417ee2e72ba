import type { Deps } from '../../deps.ts';
import type { ApiError } from '../../platform/errors.ts';
import { capKey, policiesOf, windowOf } from './policy.ts';
import { takeFromCaps } from './queries.ts';
import { notePasswords, watchPasswords, watchRanges } from './ranges.ts';
import { reserve } from './reserve.ts';
import { findRefusals, type Refusal, type Sending } from './rules.ts';
import { type Cap, defaults, isHolding } from './schemas.ts';

/**
 * What the safeguards of accounts refuse of what is about to be sent. The rest counts toward their caps from now on, so this comes last
 * before something is stored. Accounts without safeguards, which are remembered, cost no query.
 */
export async function heedSafeguards<S extends Sending>(deps: Deps, sendings: S[]): Promise<Map<S, ApiError>> {
  const policies = await policiesOf(
    deps,
    sendings.map(({ accountId }) => accountId),
  );
  if (policies.size === 0) return new Map();
  const now = deps.clock.now();
  const guarded = sendings.flatMap((sending) => {
    const policy = policies.get(sending.accountId);
    return policy ? [{ sending, policy }] : [];
  });
  const refusals = new Map<S, Refusal>();
  const left = () => guarded.filter(({ sending }) => !refusals.has(sending));
  for (const { sending, policy } of guarded) {
    const [refusal] = findRefusals(policy, sending);
    if (refusal) refusals.set(sending, refusal);
  }
  for (const [sending, refusal] of await watchRanges(deps, left(), now)) refusals.set(sending, refusal);
  for (const [sending, refusal] of await watchPasswords(deps, left(), now)) refusals.set(sending, refusal);
  for (const [sending, refusal] of await reserve(deps, left(), now)) refusals.set(sending, refusal);
  await notePasswords(deps, left(), now);
  for (const [sending, refusal] of refusals) noteRefusal(deps, sending, refusal, now);
  return new Map([...refusals].map(([sending, { error }]) => [sending, error]));
}

/** Tells of what was refused, a moment later: the transaction of whoever is refused is rolled back. */
export function noteRefusal(
  { incidents }: Pick<Deps, 'incidents'>,
  { accountId, channel, senderKey, digits }: Omit<Sending, 'units'>,
  { rule, subject }: Pick<Refusal, 'rule' | 'subject'>,
  now: Date,
): void {
  // A range is one story, however long it goes on.
  const windowStart = isHolding(rule)
    ? new Date(0)
    : windowOf(rule === 'CAP' && / DAY /.test(subject) ? 'DAY' : 'HOUR', now).start;
  incidents.note({ accountId, rule, channel, subject, sender: senderKey, recipient: digits, windowStart });
}

/** Which of these people may be answered HELP once more in this hour. */
export async function mayAnswerHelp<P extends { digits: string }>(
  deps: Deps,
  accountId: string,
  channel: 'CHATAPP' | 'SMS',
  asking: P[],
): Promise<P[]> {
  if (asking.length === 0) return [];
  const policy = (await policiesOf(deps, [accountId])).get(accountId);
  const max = policy?.settings.help_replies_per_hour ?? defaults.help_replies_per_hour;
  const cap: Cap = { channel, per: 'RECIPIENT', window: 'HOUR', measure: 'COUNT', max };
  const now = deps.clock.now();
  const windowStart = windowOf('HOUR', now).start;
  const keyOf = ({ digits }: P) => `HELP ${capKey(cap, { channel, senderKey: '', digits })}`;
  const byKey = Map.groupBy(asking, keyOf);
  const asks = [...byKey].map(([key, some]) => ({ accountId, key, windowStart, amount: some.length, cap: max }));
  const granted = await takeFromCaps(deps.db, asks);
  return [...byKey].flatMap(([key, some]) => {
    const left = granted.get(`${accountId} ${key}`) ?? 0;
    for (const { digits } of some.slice(left)) {
      noteRefusal(deps, { accountId, channel, senderKey: '', digits }, { rule: 'HELP', subject: digits }, now);
    }
    return some.slice(0, left);
  });
}
