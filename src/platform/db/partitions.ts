import { sql } from 'kysely';
import type { Db } from './connect/pool.ts';

/** The tables partitioned by time. */
const partitioned = [
  'events',
  'messages',
  'message_states',
  'sms',
  'sms_states',
  'sms_parts',
  'campaign_recipients',
  'job_results',
  'calls',
  'webhook_deliveries',
  'webhook_attempts',
];

/** Makes the partitions of the next months; run hourly, it makes one a month. New ones are made like those that exist. */
export async function ensurePartitionsAnyAccount(db: Db): Promise<void> {
  await sql`
    select ensure_partitions(parent, now() + interval '3 months', coalesce(' with (' || (
      select array_to_string(reloptions, ', ') from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = parent order by relname desc limit 1) || ')', ''))
    from unnest(${partitioned}::regclass[]) as parent`.execute(db);
}
