import type { Deps } from '../../deps.ts';
import { deleteSender, findNames } from './sender-queries.ts';

const senderMemory = 'sms-senders';

/** Which of these are registered names, as account and name. Those that are not are looked up each time: one may come at any moment. */
export async function findSenderNames(
  { db, memories }: Deps,
  wanted: { accountId: string; digits: string }[],
): Promise<ReadonlySet<string>> {
  const memory = memories.of<true>(senderMemory);
  const keys = new Set<string>();
  const unknown = wanted.filter(({ accountId, digits }) => {
    const key = accountId + digits;
    if (memory.get(key)) keys.add(key);
    return !keys.has(key);
  });
  if (unknown.length === 0) return keys;
  const stamp = memory.stamp();
  for (const { account_id, name } of await findNames(db, unknown)) {
    memory.set(account_id + name, true, stamp);
    keys.add(account_id + name);
  }
  return keys;
}

/** From now on nothing is sent from it. */
export async function removeSender({ db, memories }: Deps, accountId: string, uuid: string): Promise<boolean> {
  const isGone = await deleteSender(db, accountId, uuid);
  if (isGone) memories.forget(senderMemory);
  return isGone;
}
