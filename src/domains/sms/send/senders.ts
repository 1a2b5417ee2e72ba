import { type Selectable, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { uuidArray } from '../../../platform/db/arrays.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { SmsSenders } from '../../../platform/db/types.ts';
import { notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { findAccount } from '../../accounts/index.ts';
import { findAccountLinks } from '../links/links.ts';

/** SQL of the names that accounts send from. */

export type SenderRow = Selectable<SmsSenders>;

export const listSenders = (db: Db, accountId: string, query: PageQuery) =>
  keysetPage(db, db.selectFrom('sms_senders').selectAll().where('account_id', '=', accountId), query);

/** PENDING: nobody has decided yet. Only what is APPROVED is sent from, where SMS reach real people. */
export const senderStatuses = ['PENDING', 'APPROVED', 'REJECTED'] as const;
export type SenderStatus = (typeof senderStatuses)[number];

/** Registers a name. If it is registered already, in any spelling, answers the existing row. */
async function insertSender(db: Db, accountId: string, sender: string, status: SenderStatus): Promise<SenderRow> {
  const { rows } = await sql<SenderRow>`
    insert into sms_senders (account_id, uuid, sender, status) values (${accountId}, ${newId()}, ${sender}, ${status})
    on conflict (account_id, lower(sender)) do update set sender = sms_senders.sender
    returning *`.execute(db);
  return rows[0]!;
}

async function deleteSender(db: Db, accountId: string, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sms_senders')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

const named = prepared<{ account_id: string; name: string; status: SenderStatus }>(
  'sms.sender-names',
  `select wanted.account_id, wanted.name, sms_senders.status from unnest($1::uuid[], $2::text[]) as wanted (account_id, name)
  join sms_senders on sms_senders.account_id = wanted.account_id and lower(sms_senders.sender) = wanted.name`,
);

/** The registered names among these, each with the decision about it. */
export const findNames = (db: Db, wanted: { accountId: string; digits: string }[]) =>
  named(db, [uuidArray(wanted.map(({ accountId }) => accountId)), wanted.map(({ digits }) => digits)]);

/** Names of all accounts, with whose they are. */
export function listSendersAnyAccount(db: Db, query: PageQuery & { status?: SenderStatus }) {
  const rows = db
    .selectFrom('sms_senders')
    .innerJoin('accounts', 'accounts.uuid', 'sms_senders.account_id')
    .selectAll('sms_senders')
    .select('accounts.name as account_name');
  const wanted = query.status ? rows.where('sms_senders.status', '=', query.status) : rows;
  return keysetPage(db, wanted, query, { uuid: 'sms_senders.uuid', created: 'sms_senders.created' });
}
export type ListedSender = SenderRow & { account_name: string };

/** Stores the decision about a name; undefined: there is none with that id. */
async function decideSenderAnyAccount(
  db: Db,
  uuid: string,
  { status, reason }: { status: SenderStatus; reason: string | null },
): Promise<ListedSender | undefined> {
  const { rows } = await sql<ListedSender>`
    update sms_senders set status = ${status}, reason = ${reason}, decided = now()
    from accounts
    where sms_senders.uuid = ${uuid} and sms_senders.status = any(${[...senderStatuses]}) and accounts.uuid = sms_senders.account_id
    returning sms_senders.*, accounts.name as account_name`.execute(db);
  return rows[0];
}

const senderCache = 'sms-senders';

/**
 * The decisions about the registered names among these, by account and name. Only approvals are cached: the others may be decided
 * at any moment.
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
 * Registers a name. People trust a name that they know, such as a bank's, so the operator decides about the names of other accounts
 * before they can be used. The operator's own account needs no approval.
 */
export async function registerSender({ db }: Deps, accountId: string, sender: string): Promise<SenderRow> {
  const { operator } = await findAccount(db, accountId);
  return insertSender(db, accountId, sender, operator ? 'APPROVED' : 'PENDING');
}

/** Whether the account's SMS reach real people; in the sandbox names need no approval. */
export async function hasLiveLinks(deps: Deps, accountId: string): Promise<boolean> {
  return (await findAccountLinks(deps, [accountId])).get(accountId)?.isLive ?? false;
}

/** Approves a name, or rejects it with a reason. This takes effect at once, also for a name that was decided about before. */
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

/** Removes a name. From now on nothing is sent from it. */
export async function removeSender({ db, caches }: Deps, accountId: string, uuid: string): Promise<boolean> {
  const isGone = await deleteSender(db, accountId, uuid);
  if (isGone) caches.forget(senderCache);
  return isGone;
}
