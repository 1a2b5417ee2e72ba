import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/pool.ts';
import { findAmong, hasOptOuts } from './queries.ts';

export type OptOutChannel = 'CHATAPP' | 'SMS' | 'VOICE';

export interface Recipient {
  accountId: string;
  digits: string;
}

/** The memory of accounts that have opt-outs at all; to be forgotten when one gets its first. */
export const optOutMemory = 'optouts';

/**
 * Who of these recipients has opted out of a channel. Accounts without any opt-outs, which are remembered, cost no query; so
 * this may be a moment behind, and those who let messages leave look again.
 */
export async function findOptedOut<R extends Recipient>(
  deps: Deps,
  recipients: R[],
  channel: OptOutChannel,
): Promise<Set<R>> {
  const accounts = [...new Set(recipients.map(({ accountId }) => accountId))];
  const have = new Map(await Promise.all(accounts.map(async (id) => [id, await accountHasOptOuts(deps, id)] as const)));
  const doubtful = recipients.filter(({ accountId }) => have.get(accountId));
  return doubtful.length === 0 ? new Set() : findOptedOutNow(deps.db, doubtful, channel);
}

/** The same, straight from the table. */
export async function findOptedOutNow<R extends Recipient>(
  db: Db,
  recipients: R[],
  channel: OptOutChannel,
): Promise<Set<R>> {
  const out = new Set((await findAmong(db, recipients, channel)).map((row) => row.account_id + row.digits));
  return new Set(recipients.filter(({ accountId, digits }) => out.has(accountId + digits)));
}

async function accountHasOptOuts({ db, memories }: Deps, accountId: string): Promise<boolean> {
  const memory = memories.of<boolean>(optOutMemory);
  const known = memory.get(accountId);
  if (known !== undefined) return known;
  const stamp = memory.stamp();
  const has = await hasOptOuts(db, accountId);
  memory.set(accountId, has, stamp);
  return has;
}
