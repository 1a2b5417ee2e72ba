import { sql } from 'kysely';
import type { RetentionRule } from '../../platform/db/retention.ts';

/** What is still to be sent stays. */
export const deliveryRetention: RetentionRule = {
  kind: 'webhooks',
  tables: [{ name: 'webhook_deliveries', key: 'uuid' }],
  waiting: { when: () => sql`status = 'PENDING'` },
};

/** By themselves: an attempt is younger than its delivery, which is gone by then, or waits and is tried again. */
export const attemptRetention: RetentionRule = {
  kind: 'webhooks',
  tables: [{ name: 'webhook_attempts', key: 'uuid' }],
};
