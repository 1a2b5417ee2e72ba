import { type Selectable, sql } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import { type Db, prepared } from '../../platform/db/pool.ts';
import type { OptOuts } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { eventsOfType } from '../timeline/index.ts';

export type OptOutRow = Selectable<OptOuts>;

export interface NewOptOut {
  phone_number: string;
  channel: string;
  source: string;
  text: string;
}

/** Opts somebody out. Somebody who is out already stays as they are: `isNew` tells. */
export async function upsertOptOut(
  db: Db,
  accountId: string,
  optOut: NewOptOut,
): Promise<OptOutRow & { isNew: boolean }> {
  const { rows } = await sql<OptOutRow & { isNew: boolean }>`
    with added as (
      insert into opt_outs (account_id, uuid, phone_number, digits, channel, source, text)
      values (${accountId}, ${newId()}, ${optOut.phone_number}, ${phoneDigits(optOut.phone_number)}, ${optOut.channel},
        ${optOut.source}, ${optOut.text})
      on conflict (account_id, digits, channel) do nothing
      returning *, true as "isNew"
    )
    select * from added
    union all
    select *, false from opt_outs
    where account_id = ${accountId} and digits = ${phoneDigits(optOut.phone_number)} and channel = ${optOut.channel}
    limit 1`.execute(db);
  return rows[0]!;
}

export const findOptOut = (db: Db, accountId: string, uuid: string): Promise<OptOutRow | undefined> =>
  db.selectFrom('opt_outs').selectAll().where('account_id', '=', accountId).where('uuid', '=', uuid).executeTakeFirst();

export const deleteOptOut = (db: Db, accountId: string, uuid: string): Promise<OptOutRow | undefined> =>
  db
    .deleteFrom('opt_outs')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirst();

export function listOptOuts(db: Db, accountId: string, query: PageQuery & { number?: string; channel?: string }) {
  let rows = db.selectFrom('opt_outs').selectAll().where('account_id', '=', accountId);
  if (query.number) rows = rows.where('digits', '=', phoneDigits(query.number));
  if (query.channel) rows = rows.where('channel', '=', query.channel);
  return keysetPage(db, rows, query);
}

export interface OptOutEventRow {
  uuid: string;
  at: string;
  data: NewOptOut & { action: string };
}

export async function listOptOutEvents(db: Db, accountId: string, query: PageQuery & { number?: string }) {
  let rows = eventsOfType(db, accountId, 'opt_out');
  if (query.number) rows = rows.where(sql`data ->> 'digits'`, '=', phoneDigits(query.number));
  const page = await keysetPage(db, rows, query, { uuid: 'uuid', created: 'at' });
  return { ...page, rows: page.rows as unknown as OptOutEventRow[] };
}

/** Those of these accounts that have any opt-outs: one look into the index for each. */
export async function findAccountsWithOptOuts(db: Db, accountIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from unnest(${accountIds}::uuid[]) as account (account_id)
    where exists (select from opt_outs where opt_outs.account_id = account.account_id)`.execute(db);
  return new Set(rows.map((row) => row.account_id));
}

const find = prepared<{ account_id: string; digits: string }>(
  'optouts.find',
  `select distinct optout.account_id, optout.digits
  from unnest($1::uuid[], $2::text[]) as wanted (account_id, digits)
  join opt_outs as optout using (account_id, digits)
  where optout.channel in ('ALL', $3)`,
);

/** Who of these does not want to hear from the account on a channel. */
export const findAmong = (db: Db, recipients: { accountId: string; digits: string }[], channel: string) =>
  find(db, [uuidArray(recipients.map(({ accountId }) => accountId)), recipients.map(({ digits }) => digits), channel]);
