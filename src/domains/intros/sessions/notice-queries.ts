import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';

/** SQL of whom notifications went to. */

export interface Notice {
  /** The message or the SMS. */
  message: string;
  session: string;
  chatapp_account: string;
  channel: 'CHATAPP' | 'SMS';
  to_number: string;
  to_digits: string;
  /** null: it is B. */
  agent: string | null;
  sent_at: string;
}

export async function insertNotices(db: Db, accountId: string, notices: Notice[]): Promise<void> {
  if (notices.length === 0) return;
  await db
    .insertInto('intro_notices')
    .values(notices.map((notice) => ({ account_id: accountId, ...notice })))
    .execute();
}

/** Whom each of these sessions last notified. */
export async function findLastNotices(db: Db, accountId: string, sessions: string[]): Promise<Map<string, Notice>> {
  if (sessions.length === 0) return new Map();
  const { rows } = await sql<Notice>`
    select last.* from unnest(${sessions}::uuid[]) as wanted (session)
    cross join lateral (
      select * from intro_notices where account_id = ${accountId} and session = wanted.session
      order by message desc limit 1) as last`.execute(db);
  return new Map(rows.map((row) => [row.session, row]));
}

/** The agents whom these sessions have notified. */
export async function findNotifiedAgents(
  db: Db,
  accountId: string,
  sessions: string[],
): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ session: string; agent: string }>`
    select session, agent from intro_notices
    where account_id = ${accountId} and session = any (${sessions}::uuid[]) and agent is not null`.execute(db);
  const found = new Map<string, Set<string>>();
  for (const { session, agent } of rows) found.set(session, (found.get(session) ?? new Set()).add(agent));
  return found;
}

/** Notes of messages and SMS that they failed; answers those that were notifications and had not been noted before. */
export async function markFailed(db: Db, accountId: string, messages: string[]): Promise<Notice[]> {
  const { rows } = await sql<Notice>`
    update intro_notices set failed_at = now()
    where account_id = ${accountId} and message = any (${messages}::uuid[]) and failed_at is null
    returning *`.execute(db);
  return rows;
}
