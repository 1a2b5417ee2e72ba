import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { newId } from '../../platform/ids.ts';
import { phoneDigits } from '../../platform/phone.ts';

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

export const findByNumber = (db: Db, accountId: string, number: string) =>
  db
    .selectFrom('chatapp_accounts')
    .select(['uuid', 'chatapp_number', 'digits'])
    .where('account_id', '=', accountId)
    .where('digits', '=', phoneDigits(number))
    .executeTakeFirst();

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
