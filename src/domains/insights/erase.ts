import type { Db } from '../../platform/db/connect/pool.ts';

/** Nobody waits any more for what a person may do. */
export async function eraseWatches(db: Db, accountId: string, digits: string): Promise<void> {
  await db.deleteFrom('reply_watches').where('account_id', '=', accountId).where('person', '=', digits).execute();
  await db.deleteFrom('callback_watches').where('account_id', '=', accountId).where('caller', '=', digits).execute();
}
