import type { Deps } from '../../deps.ts';
import { erasedKey } from './erase.ts';
import { findAccountsWithOptOuts, findAmong } from './queries.ts';

export type OptOutChannel = 'CHATAPP' | 'SMS' | 'VOICE';

export interface Recipient {
  accountId: string;
  digits: string;
  /**
   * For a message that may be the answer to something the person wrote: the moment, by the carrier's time. Somebody who
   * opted out and then writes is answered; they are not sent anything else.
   */
  answeredAt?: Date | undefined;
}

/** The cache of accounts that have opt-outs at all; to be forgotten when one gets its first. */
export const optOutCache = 'optouts';

/**
 * Who of these recipients has opted out of a channel. Accounts without any opt-outs, which are remembered, cost no query; so
 * this may be a moment behind, and those who let messages leave look again.
 */
export async function findOptedOut<R extends Recipient>(
  deps: Deps,
  recipients: R[],
  channel: OptOutChannel,
): Promise<Set<R>> {
  const doubtful = await ofAccountsWithOptOuts(deps, recipients);
  return doubtful.length === 0 ? new Set() : findOptedOutNow(deps, doubtful, channel);
}

/** The same, straight from the table. Where people were erased, the hashes of recipients are looked for as well. */
export async function findOptedOutNow<R extends Recipient>(
  { db, vault }: Pick<Deps, 'db' | 'vault'>,
  recipients: R[],
  channel: OptOutChannel,
): Promise<Set<R>> {
  const { found, erasing } = await findAmong(db, recipients, channel);
  const optedOut = new Set(found);
  const doubtful = recipients.filter((one) => erasing.has(one.accountId) && !optedOut.has(one));
  if (doubtful.length === 0) return optedOut;
  const hashed = doubtful.map((one) => ({ ...one, digits: erasedKey(vault, one.accountId, one.digits), one }));
  for (const { one } of (await findAmong(db, hashed, channel)).found) optedOut.add(one);
  return optedOut;
}

async function ofAccountsWithOptOuts<R extends Recipient>({ db, caches }: Deps, recipients: R[]): Promise<R[]> {
  const cache = caches.of<boolean>(optOutCache);
  const known = new Map(recipients.map(({ accountId }) => [accountId, cache.get(accountId)]));
  const unknown = [...known.keys()].filter((accountId) => known.get(accountId) === undefined);
  if (unknown.length > 0) {
    const stamp = cache.stamp();
    const having = await findAccountsWithOptOuts(db, unknown);
    for (const accountId of unknown) {
      known.set(accountId, having.has(accountId));
      cache.set(accountId, having.has(accountId), stamp);
    }
  }
  return recipients.filter(({ accountId }) => known.get(accountId));
}
