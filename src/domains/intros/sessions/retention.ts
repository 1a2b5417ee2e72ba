import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { RetentionRule } from '../../../platform/db/retention.ts';
import { deleteLinks, linksOfSessions } from '../../links/index.ts';

/** Sessions that are over, with their links, by the age of what happened last. */
export const sessionRetention: RetentionRule = {
  tables: [{ name: 'intro_sessions', key: 'uuid' }, linksOfSessions],
  waiting: {
    when: (before) => sql`(open or notify_due_at is not null or last_activity_at >= uuid_moment(${before}))`,
  },
  isWhole: true,
};

/** Removes sessions of a person with their links, at most so many. What they count in funnels stays. */
export async function eraseSessions(db: Db, accountId: string, digits: string, most: number): Promise<number> {
  const { rows } = await sql<{ shortcodes: string[] }>`
    delete from intro_sessions where account_id = ${accountId} and uuid in (
      select uuid from intro_sessions where account_id = ${accountId} and aparty_digits = ${digits} limit ${most})
    returning array_remove(array[nullif(bparty_shortcode, ''), aparty_shortcode], null) as shortcodes`.execute(db);
  await deleteLinks(
    db,
    accountId,
    rows.flatMap(({ shortcodes }) => shortcodes),
  );
  return rows.length;
}

/** Forgets that a person was notified of others. */
export async function eraseNotices(db: Db, accountId: string, digits: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from intro_notices where account_id = ${accountId} and to_digits = ${digits}
      and chatapp_account = any (array(select uuid from chatapp_accounts where account_id = ${accountId}))`.execute(db);
  return Number(numAffectedRows);
}
