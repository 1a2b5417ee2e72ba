import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { RetentionRule } from '../../platform/db/retention.ts';

/** Who opted out and when is evidence in a dispute; what an account had of a number is what it is billed for. */
export const eventRetention: RetentionRule = {
  kind: 'events',
  tables: [{ name: 'events', key: 'uuid' }],
  forever: [sql`subject_type = 'opt_out'`, sql`subject_type = 'number'`],
};

/** Removes the stories of things that are gone. */
export async function deleteEventsOf(db: Db, accountId: string, subjects: string[]): Promise<void> {
  await sql`delete from events where account_id = ${accountId} and subject = any (${subjects}::uuid[])`.execute(db);
}

/** What tells nothing of a person: figures and proofs are made of it. */
const impersonal = [
  'session',
  'status',
  'how',
  'tied',
  'again',
  'by',
  'step',
  'message',
  'action',
  'channel',
  'source',
];

/** Events that name a person stay, for what they count and prove, without the person; at most so many. Answers how many. */
export async function erasePersonEvents(
  db: Db,
  accountId: string,
  { digits, hash }: { digits: string; hash: string },
  most: number,
): Promise<number> {
  const named = (type: string) => sql`
    (select uuid from events
      where account_id = ${accountId} and subject_type = ${sql.lit(type)} and data ->> 'digits' = ${digits} limit ${most})`;
  const { numAffectedRows = 0n } = await sql`
    update events set data = (
      select coalesce(jsonb_object_agg(key, value), '{}') from json_each(events.data) as item (key, value)
      where key = any (${impersonal}::text[])) || jsonb_build_object('digits', ${hash}::text)
        || case when subject_type = 'opt_out' then '{"phone_number": "", "text": ""}' else '{"aparty_number": ""}' end::jsonb
    where account_id = ${accountId} and uuid in (${named('chat_intro')} union all ${named('opt_out')})`.execute(db);
  return Number(numAffectedRows);
}
