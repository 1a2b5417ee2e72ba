import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connect/pool.ts';
import { isDistributed } from './layout.ts';

/** SQL of a condition on the column with the account: that it is the one at hand; or nothing, where a statement takes all at once. */
export type OfAccount = (column: string) => RawBuilder<boolean>;

/**
 * Runs a statement that takes rows of all accounts, such as what is due. A distributed database locks rows of one shard at a time: there,
 * `due` (a select of `account_id`) is read first, without locks, and then each of these accounts gets a statement of its own.
 */
export async function perAccount<T>(
  db: Db,
  due: RawBuilder<unknown>,
  work: (ofAccount: OfAccount) => Promise<T[]>,
): Promise<T[]> {
  if (!isDistributed()) return work(() => sql<boolean>`true`);
  const { rows } = await sql<{ account_id: string }>`select distinct account_id from (${due}) as due`.execute(db);
  const taken: T[] = [];
  for (const { account_id } of rows) {
    taken.push(...(await work((column) => sql<boolean>`${sql.ref(column)} = ${account_id}::uuid`)));
  }
  return taken;
}
