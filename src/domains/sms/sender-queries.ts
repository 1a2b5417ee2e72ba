import { type Selectable, sql } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import { type Db, prepared } from '../../platform/db/pool.ts';
import type { SmsSenders } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';

/** SQL of the names that accounts send from. */

export type SenderRow = Selectable<SmsSenders>;

export const listSenders = (db: Db, accountId: string, query: PageQuery) =>
  keysetPage(db, db.selectFrom('sms_senders').selectAll().where('account_id', '=', accountId), query);

/** For a name that is registered already, however it is written, it answers what is there. */
export async function insertSender(db: Db, accountId: string, sender: string): Promise<SenderRow> {
  const { rows } = await sql<SenderRow>`
    insert into sms_senders (account_id, uuid, sender, status) values (${accountId}, ${newId()}, ${sender}, 'APPROVED')
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

const named = prepared<{ account_id: string; name: string }>(
  'sms.sender-names',
  `select account_id, name from unnest($1::uuid[], $2::text[]) as wanted (account_id, name)
  where exists (
    select from sms_senders where sms_senders.account_id = wanted.account_id and lower(sender) = wanted.name)`,
);

/** Those of these that are registered. */
export const findNames = (db: Db, wanted: { accountId: string; digits: string }[]) =>
  named(db, [uuidArray(wanted.map(({ accountId }) => accountId)), wanted.map(({ digits }) => digits)]);
