import { sql } from 'kysely';
import type { Task } from './deps.ts';
import { purgeIdempotencyKeysAnyAccount } from './platform/http/idempotency.ts';

/** Work that keeps the database in shape, whatever the product does with it. */
export const maintenanceTasks: Task[] = [
  {
    name: 'platform.maintain',
    batchSize: 1,
    cron: '17 * * * *',
    async handler({ db }) {
      await sql`select ensure_partitions(parent, now() + interval '3 months')
        from unnest(array['events', 'messages']::regclass[]) as parent`.execute(db);
      await purgeIdempotencyKeysAnyAccount(db);
      await db
        .deleteFrom('login_failures')
        .where('blocked_until', '<', sql<string>`now() - interval '1 day'`)
        .execute();
    },
  },
];
