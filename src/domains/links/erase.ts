import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';

/** Removes links that lead to a person. */
export async function deleteLinks(db: Db, accountId: string, shortcodes: string[]): Promise<void> {
  await sql`delete from links where account_id = ${accountId} and shortcode = any (${shortcodes}::text[])`.execute(db);
}
