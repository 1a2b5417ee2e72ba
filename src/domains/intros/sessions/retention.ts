import { sql } from 'kysely';
import type { RetentionRule } from '../../../platform/db/retention.ts';

/** Sessions that are over, with their links, by the age of what happened last. */
export const sessionRetention: RetentionRule = {
  tables: [
    { name: 'intro_sessions', key: 'uuid' },
    { name: 'links', key: 'session' },
  ],
  waiting: {
    when: (before) => sql`(open or notify_due_at is not null or last_activity_at >= uuid_moment(${before}))`,
  },
  isWhole: true,
};
