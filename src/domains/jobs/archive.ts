import { sql } from 'kysely';
import type { Archive } from '../../platform/db/past.ts';

/** What came of each item. The job itself stays, with its counts. */
export const resultArchive: Archive = {
  tables: [{ name: 'job_results', key: 'job' }],
  second: 'uuid',
  waiting: {
    listed: { name: 'jobs', key: 'uuid' },
    when: (before) => sql`(finished_at is null or finished_at >= uuid_moment(${before}))`,
  },
};
