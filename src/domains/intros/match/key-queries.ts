import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';

/**
 * SQL of what matching compares: one row for each intro that is not deleted. Of intros that share a text or a reference, the one
 * whose link was opened last wins. The order of openings is kept only for intros that are marked as shared, so both are marked
 * before there is a second one.
 */

export interface Keys {
  chatapp_account: string;
  expected_hash: string | null;
  reference_key: string | null;
}
const names = ['expected_hash', 'reference_key'] as const;

/** Inside a transaction. */
export async function insertKeys(db: Db, accountId: string, chatIntro: string, keys: Keys): Promise<void> {
  const shared = await markRivals(db, accountId, chatIntro, keys);
  await db
    .insertInto('intro_keys')
    .values({ account_id: accountId, chat_intro: chatIntro, ...keys, shared })
    .execute();
}

/** Inside a transaction. When the link was opened stays. */
export async function updateKeys(db: Db, accountId: string, chatIntro: string, keys: Keys): Promise<void> {
  const shared = await markRivals(db, accountId, chatIntro, keys);
  await db
    .updateTable('intro_keys')
    .set({ ...keys, ...(shared && ranked) })
    .where('account_id', '=', accountId)
    .where('chat_intro', '=', chatIntro)
    .execute();
}

export async function deleteKeys(db: Db, accountId: string, chatIntro: string): Promise<void> {
  await db.deleteFrom('intro_keys').where('account_id', '=', accountId).where('chat_intro', '=', chatIntro).execute();
}

const ranked = { shared: true, ranked_at: sql<string | null>`opened_at` };

/** Whether other intros have one of these keys; if so, those are marked as shared. */
async function markRivals(db: Db, accountId: string, chatIntro: string, keys: Keys): Promise<boolean> {
  let hasRivals = false;
  // In this order always, so that no two transactions wait for each other.
  for (const name of names) {
    const key = keys[name];
    if (key !== null && (await markRivalsBy(db, accountId, chatIntro, keys.chatapp_account, name, key)))
      hasRivals = true;
  }
  return hasRivals;
}

async function markRivalsBy(
  db: Db,
  accountId: string,
  chatIntro: string,
  chatappAccount: string,
  name: (typeof names)[number],
  key: string,
): Promise<boolean> {
  const rivals = db
    .selectFrom('intro_keys')
    .select(['chat_intro', 'shared'])
    .where('account_id', '=', accountId)
    .where('chatapp_account', '=', chatappAccount)
    .where(name, '=', key)
    .where('chat_intro', '<>', chatIntro)
    .orderBy('ranked_at', (order) => order.desc().nullsLast())
    .orderBy('chat_intro', 'desc')
    .limit(1);
  if ((await rivals.executeTakeFirst())?.shared) return true;
  // Two intros that are made at the same moment do not see each other, so one of them waits here.
  await lockKey(db, chatappAccount, name, key);
  const rival = await rivals.executeTakeFirst();
  if (!rival) return false;
  if (rival.shared) return true;
  await db
    .updateTable('intro_keys')
    .set(ranked)
    .where('account_id', '=', accountId)
    .where('chat_intro', '=', rival.chat_intro)
    .execute();
  return true;
}

/** A text that links prepare for the person to send. */
export interface SharedText {
  accountId: string;
  chatappAccount: string;
  /** null: a link without any text. */
  hash: string | null;
  /** The intro that asks. */
  except: string;
}

/** Up to two other intros that expect the text. */
export async function findRivalsByText(db: Db, { accountId, chatappAccount, hash, except }: SharedText) {
  if (hash === null) return [];
  const rows = await db
    .selectFrom('intro_keys')
    .select('chat_intro')
    .where('account_id', '=', accountId)
    .where('chatapp_account', '=', chatappAccount)
    .where('expected_hash', '=', hash)
    .where('chat_intro', '<>', except)
    .limit(2)
    .execute();
  return rows.map((row) => row.chat_intro);
}

/** Until the transaction ends, nobody else makes an intro with that text. */
export async function lockText(db: Db, { chatappAccount, hash }: SharedText): Promise<void> {
  if (hash !== null) await lockKey(db, chatappAccount, 'expected_hash', hash);
}

const lockKey = (db: Db, chatappAccount: string, name: string, key: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`${chatappAccount} ${name} ${key}`}, 0))`.execute(db);
