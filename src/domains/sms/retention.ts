import { sql } from 'kysely';
import type { RetentionRule } from '../../platform/db/retention.ts';

/**
 * What waits to leave stays; what was sent waits for its receipt for 30 days, as a message does. Networks try for some days, and
 * what got no answer fails after three (`recover.ts`).
 */
export const smsRetention: RetentionRule = {
  kind: 'sms',
  tables: [
    { name: 'sms_states', key: 'uuid' },
    { name: 'sms', key: 'uuid' },
    { name: 'sms_parts', key: 'sms' },
  ],
  waiting: {
    when: () => sql`status in ('QUEUED', 'SENT') and (status = 'QUEUED' or modified > now() - interval '30 days')`,
  },
};
