import { type Selectable, sql } from 'kysely';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { ChatappAccounts } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import { phoneDigits } from '../../platform/phone.ts';
import type { ChatappAccountCreate, secretNames } from './schemas.ts';

/** A number that a business sends from, and what sending needs to know of it. */
export interface ChatappAccount {
  account_id: string;
  uuid: string;
  chatapp_number: string;
  digits: string;
  carrier: string;
  /** Its own default language, else the account's. */
  language_code: string;
}

/** Looks up senders by account and digits; a batch may hold several accounts, each finds only its own. */
export async function findSenders(db: Db, wanted: { accountId: string; digits: string }[]): Promise<ChatappAccount[]> {
  const { rows } = await sql<ChatappAccount>`
    select distinct sender.account_id, sender.uuid, sender.chatapp_number, sender.digits, sender.carrier,
      coalesce(sender.language_code, account.language_code) as language_code
    from unnest(${wanted.map((use) => use.accountId)}::uuid[], ${wanted.map((use) => use.digits)}::text[])
      as wanted (account_id, digits)
    join chatapp_accounts as sender using (account_id, digits)
    join accounts as account on account.uuid = sender.account_id`.execute(db);
  return rows;
}

export type ChatappAccountRow = Selectable<ChatappAccounts>;

export const findChatappAccount = (db: Db, accountId: string, uuid: string): Promise<ChatappAccountRow | undefined> =>
  db
    .selectFrom('chatapp_accounts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();

export function listChatappAccounts(db: Db, accountId: string, query: PageQuery & { chatapp_number?: string }) {
  let rows = db.selectFrom('chatapp_accounts').selectAll().where('account_id', '=', accountId);
  if (query.chatapp_number) rows = rows.where('digits', '=', phoneDigits(query.chatapp_number));
  return keysetPage(db, rows, query);
}

/** For callers from outside, who have the uuid alone. */
export const findChatappAccountAnyAccount = (db: Db, uuid: string): Promise<ChatappAccountRow | undefined> =>
  db.selectFrom('chatapp_accounts').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/** The accounts that a carrier's own ids name. */
export const findNamed = (
  db: Db,
  accountId: string,
  carrier: string,
  ids: { uuids: string[]; digits: string[]; numberIds: string[]; businessAccountIds: string[] },
): Promise<ChatappAccountRow[]> =>
  db
    .selectFrom('chatapp_accounts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('carrier', '=', carrier)
    .where((any) =>
      any.or([
        any('uuid', '=', sql<string>`any (${ids.uuids}::uuid[])`),
        any('digits', '=', sql<string>`any (${ids.digits}::text[])`),
        any('phone_number_id', '=', sql<string>`any (${ids.numberIds}::text[])`),
        any('business_account_id', '=', sql<string>`any (${ids.businessAccountIds}::text[])`),
      ]),
    )
    .orderBy('uuid')
    .execute();

type Stored = Omit<ChatappAccountCreate, 'carrier' | (typeof secretNames)[number]> & {
  carrier: string;
  secrets: string | null;
};

/** undefined: the account has that number already. */
export const insertChatappAccount = (db: Db, accountId: string, row: Stored): Promise<ChatappAccountRow | undefined> =>
  db
    .insertInto('chatapp_accounts')
    .values({ account_id: accountId, uuid: newId(), digits: phoneDigits(row.chatapp_number), ...row })
    .onConflict((conflict) => conflict.columns(['account_id', 'digits']).doNothing())
    .returningAll()
    .executeTakeFirst();

export const lockChatappAccount = (db: Db, accountId: string, uuid: string): Promise<ChatappAccountRow | undefined> =>
  db
    .selectFrom('chatapp_accounts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .forNoKeyUpdate()
    .executeTakeFirst();

export const updateSettings = (
  db: Db,
  accountId: string,
  uuid: string,
  change: Partial<Omit<Stored, 'chatapp_number' | 'carrier'>> & { paused?: boolean; quality?: string },
): Promise<ChatappAccountRow> =>
  db
    .updateTable('chatapp_accounts')
    .set({ ...change, modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Deletes a number that nothing refers to; false when something does. */
export async function deleteUnused(db: Db, accountId: string, uuid: string): Promise<boolean> {
  const { rows } = await sql`
    delete from chatapp_accounts where account_id = ${accountId} and uuid = ${uuid}
      and not exists (select from messages where account_id = ${accountId} and chatapp_account = ${uuid})
      and not exists (select from chat_intros where account_id = ${accountId} and chatapp_account = ${uuid})
    returning uuid`.execute(db);
  return rows.length > 0;
}

/**
 * Texts for the statement that claims a sender's messages ($1 account, $2 sender). `available`: how many may leave now, by
 * the sender's rate; the row stays locked, so that several workers together keep to it. None for a paused sender.
 */
export const takeAllowanceText = `
  select least(messages_per_second, rate_tokens + extract(epoch from clock_timestamp() - rate_at) * messages_per_second)
    as available
  from chatapp_accounts where account_id = $1 and uuid = $2 and not paused for no key update`;

/** Takes off what was claimed. `allowance` names what the text above answered. */
export const spendAllowanceText = (count: string): string => `
  update chatapp_accounts set rate_tokens = allowance.available - (${count}), rate_at = clock_timestamp()
  from allowance where account_id = $1 and uuid = $2`;

/** Nothing of a sender leaves for a while, in any process: its bucket must fill again from that far below empty. */
export async function slowSender(db: Db, accountId: string, uuid: string, pauseMs: number): Promise<void> {
  await sql`
    update chatapp_accounts
    set rate_tokens = -messages_per_second * ${pauseMs}::float8 / 1000, rate_at = clock_timestamp()
    where account_id = ${accountId} and uuid = ${uuid}
      -- Several may be told to slow down at once: the longest pause counts, not their sum.
      and rate_tokens + extract(epoch from clock_timestamp() - rate_at) * messages_per_second
        > -messages_per_second * ${pauseMs}::float8 / 1000`.execute(db);
}

/**
 * Registers numbers at their first use. Two processes may do so at once: the first one counts, and the common order keeps
 * them from waiting for each other in a circle.
 */
export async function adoptSenders(
  db: Db,
  carrier: string,
  senders: { accountId: string; chatappNumber: string; digits: string }[],
): Promise<void> {
  await db
    .insertInto('chatapp_accounts')
    .values(
      senders
        .toSorted((a, b) => (a.accountId + a.digits < b.accountId + b.digits ? -1 : 1))
        .map((sender) => ({
          account_id: sender.accountId,
          uuid: newId(),
          chatapp_number: sender.chatappNumber,
          digits: sender.digits,
          carrier,
        })),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'digits']).doNothing())
    .execute();
}
