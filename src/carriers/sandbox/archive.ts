import { sql } from 'kysely';
import type { Archive } from '../../platform/db/past.ts';

/** What phones got and wrote; what still has to report something stays. */
export const sandboxArchive: Archive = {
  tables: [{ name: 'sandbox_messages', key: 'message' }],
  second: 'id',
  waiting: { when: () => sql`due_at is not null` },
  isWhole: true,
};
