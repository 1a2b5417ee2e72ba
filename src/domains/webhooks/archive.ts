import { sql } from 'kysely';
import type { Archive } from '../../platform/db/past.ts';

/** What is still to be sent stays. */
export const deliveryArchive: Archive = {
  tables: [{ name: 'webhook_deliveries', key: 'uuid' }],
  waiting: { when: () => sql`status = 'PENDING'` },
};

/** By themselves: an attempt is younger than its delivery, which is gone by then, or waits and is tried again. */
export const attemptArchive: Archive = {
  tables: [{ name: 'webhook_attempts', key: 'uuid' }],
};
