import { type Selectable, sql, type Updateable } from 'kysely';
import { type Db, runPrepared } from '../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import * as rate from '../../platform/db/rate.ts';
import type { ChatappAccounts } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { isInactiveText, type SandboxMode } from '../accounts/index.ts';
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

/** With what its account says of the sandbox. */
export type FoundSender = ChatappAccount & { adopted: boolean; sandbox: SandboxMode };

/** Looks up senders by account and digits; a batch may hold several accounts, each finds only its own. */
export const findSenders = (db: Db, wanted: { accountId: string; digits: string }[]): Promise<FoundSender[]> =>
  runPrepared(
    db,
    'chatapp-accounts.find-senders',
    sql<FoundSender>`
    select distinct sender.account_id, sender.uuid, sender.chatapp_number, sender.digits, sender.carrier, sender.adopted,
      account.sandbox, coalesce(sender.language_code, account.language_code) as language_code
    from unnest(${wanted.map((use) => use.accountId)}::uuid[], ${wanted.map((use) => use.digits)}::text[])
      as wanted (account_id, digits)
    join chatapp_accounts as sender using (account_id, digits)
    join accounts as account on account.uuid = sender.account_id`,
  );

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

export type Stored = Omit<ChatappAccountCreate, 'carrier' | (typeof secretNames)[number]> & {
  digits: string;
  carrier: string;
  secrets: string | null;
};

/** undefined: the account has that number already. */
export const insertChatappAccount = (db: Db, accountId: string, row: Stored): Promise<ChatappAccountRow | undefined> =>
  db
    .insertInto('chatapp_accounts')
    .values({ account_id: accountId, uuid: newId(), ...row })
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

/** The account's number with these digits, if nobody registered it. */
export const lockAdopted = (db: Db, accountId: string, digits: string): Promise<ChatappAccountRow | undefined> =>
  db
    .selectFrom('chatapp_accounts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('digits', '=', digits)
    .where('adopted', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirst();

export const updateSettings = (
  db: Db,
  accountId: string,
  uuid: string,
  change: Updateable<ChatappAccounts>,
): Promise<ChatappAccountRow> =>
  db
    .updateTable('chatapp_accounts')
    .set({ ...change, modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();

export async function deleteChatappAccountRow(db: Db, accountId: string, uuid: string): Promise<void> {
  await db.deleteFrom('chatapp_accounts').where('account_id', '=', accountId).where('uuid', '=', uuid).execute();
}

/** For the statement that claims a sender's messages. A paused sender has no allowance. */
export const takeAllowanceText = (open: string): string =>
  rate.takeAllowanceText('chatapp_accounts', `not paused and not ${isInactiveText('$1')} and ${open}`);
export const spendAllowanceText = (count: string): string => rate.spendAllowanceText('chatapp_accounts', count);

export const slowSender = (db: Db, accountId: string, uuid: string, pauseMs: number): Promise<void> =>
  rate.slowDown(db, 'chatapp_accounts', accountId, uuid, pauseMs);

/**
 * Takes numbers into use that nobody registered, where their account does that. Two processes may do so at once: the first one counts, and the common order keeps
 * them from waiting for each other in a circle.
 */
export async function adoptSenders(
  db: Db,
  carrier: string,
  senders: { accountId: string; chatappNumber: string; digits: string }[],
): Promise<void> {
  const ordered = senders.toSorted((a, b) => (a.accountId + a.digits < b.accountId + b.digits ? -1 : 1));
  // The account itself is asked: what caches say of it may be a moment old.
  await sql`
    insert into chatapp_accounts (account_id, uuid, chatapp_number, digits, carrier, adopted)
    select new.account_id, new.uuid, new.chatapp_number, new.digits, ${carrier}, true
    from unnest(${ordered.map((one) => one.accountId)}::uuid[], ${ordered.map(() => newId())}::uuid[],
        ${ordered.map((one) => one.chatappNumber)}::text[], ${ordered.map((one) => one.digits)}::text[]) with ordinality
      as new (account_id, uuid, chatapp_number, digits, place)
    join accounts as account on account.uuid = new.account_id and account.sandbox = 'adopt'
    order by new.place
    on conflict (account_id, digits) do nothing`.execute(db);
}
