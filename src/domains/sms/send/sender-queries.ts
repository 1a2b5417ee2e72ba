import { type Selectable, sql } from 'kysely';
import { uuidArray } from '../../../platform/db/arrays.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { SmsSenders } from '../../../platform/db/types.ts';
import { newId } from '../../../platform/ids.ts';

/** SQL of the names that accounts send from. */

export type SenderRow = Selectable<SmsSenders>;

export const listSenders = (db: Db, accountId: string, query: PageQuery) =>
  keysetPage(db, db.selectFrom('sms_senders').selectAll().where('account_id', '=', accountId), query);

/** PENDING: nobody has decided yet. Only what is APPROVED is sent from, where SMS reach real people. */
export const senderStatuses = ['PENDING', 'APPROVED', 'REJECTED'] as const;
export type SenderStatus = (typeof senderStatuses)[number];

/** For a name that is registered already, however it is written, it answers what is there. */
export async function insertSender(
  db: Db,
  accountId: string,
  sender: string,
  status: SenderStatus,
): Promise<SenderRow> {
  const { rows } = await sql<SenderRow>`
    insert into sms_senders (account_id, uuid, sender, status) values (${accountId}, ${newId()}, ${sender}, ${status})
    on conflict (account_id, lower(sender)) do update set sender = sms_senders.sender
    returning *`.execute(db);
  return rows[0]!;
}

export async function deleteSender(db: Db, accountId: string, uuid: string): Promise<boolean> {
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

/** Those of these that are registered, each with what was decided of it. */
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

/** Says what was decided of a name; undefined: there is none of that id. */
export async function decideSenderAnyAccount(
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
