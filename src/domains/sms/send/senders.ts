import type { Deps } from '../../../deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { findAccount } from '../../accounts/index.ts';
import { findAccountLinks } from '../links/links.ts';
import {
  decideSenderAnyAccount,
  deleteSender,
  findNames,
  insertSender,
  type ListedSender,
  type SenderRow,
  type SenderStatus,
} from './sender-queries.ts';

const senderCache = 'sms-senders';

/**
 * What was decided of those of these names that are registered, by account and name. Only approved ones are remembered: the others may
 * be decided of at any moment.
 */
export async function findSenderNames(
  { db, caches }: Deps,
  wanted: { accountId: string; digits: string }[],
): Promise<ReadonlyMap<string, SenderStatus>> {
  const cache = caches.of<true>(senderCache);
  const known = new Map<string, SenderStatus>();
  const unknown = wanted.filter(({ accountId, digits }) => {
    const key = accountId + digits;
    if (cache.get(key)) known.set(key, 'APPROVED');
    return !known.has(key);
  });
  if (unknown.length === 0) return known;
  const stamp = cache.stamp();
  for (const { account_id, name, status } of await findNames(db, unknown)) {
    if (status === 'APPROVED') cache.set(account_id + name, true, stamp);
    known.set(account_id + name, status);
  }
  return known;
}

/**
 * Registers a name. People believe a name that they know, a bank's for example: whoever runs the server looks at those of others
 * before they are sent from. Its own need nobody's approval.
 */
export async function registerSender({ db }: Deps, accountId: string, sender: string): Promise<SenderRow> {
  const { operator } = await findAccount(db, accountId);
  return insertSender(db, accountId, sender, operator ? 'APPROVED' : 'PENDING');
}

/** Whether the account's SMS reach real people; in the sandbox names need no approval. */
export async function hasLiveLinks(deps: Deps, accountId: string): Promise<boolean> {
  return (await findAccountLinks(deps, [accountId])).get(accountId)?.isLive ?? false;
}

/** Approves a name, or rejects it and says why. It holds at once, also for a name that was decided of before. */
export async function decideSender(
  { db, caches }: Deps,
  uuid: string,
  decision: { status: SenderStatus; reason: string | null },
): Promise<ListedSender> {
  const row = await decideSenderAnyAccount(db, uuid, decision);
  if (!row) throw notFound();
  caches.forget(senderCache);
  return row;
}

/** From now on nothing is sent from it. */
export async function removeSender({ db, caches }: Deps, accountId: string, uuid: string): Promise<boolean> {
  const isGone = await deleteSender(db, accountId, uuid);
  if (isGone) caches.forget(senderCache);
  return isGone;
}
