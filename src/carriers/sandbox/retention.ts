import { sql } from 'kysely';
import type { RetentionRule } from '../../platform/db/retention.ts';

/** What phones got and wrote; what still has to report something stays. */
export const sandboxRetention: RetentionRule = {
  tables: [{ name: 'sandbox_messages', key: 'message' }],
  second: 'id',
  waiting: { when: () => sql`due_at is not null` },
  isWhole: true,
};
