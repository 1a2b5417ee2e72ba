import { sql } from 'kysely';
import type { RetentionRule } from '../../platform/db/retention.ts';

/** What came of each item. The job itself stays, with its counts. */
export const resultRetention: RetentionRule = {
  tables: [{ name: 'job_results', key: 'job' }],
  second: 'uuid',
  waiting: {
    listed: { name: 'jobs', key: 'uuid' },
    when: (before) => sql`(finished_at is null or finished_at >= uuid_moment(${before}))`,
  },
};
