import { sql } from 'kysely';
import type { RetentionRule } from '../../platform/db/retention.ts';

/** Counted from the end of the launch, which may be long after its id was made. The launch itself and its counts stay. */
export const recipientRetention: RetentionRule = {
  tables: [{ name: 'campaign_recipients', key: 'campaign_log' }],
  second: 'digits',
  waiting: {
    listed: { name: 'campaign_logs', key: 'uuid' },
    when: (before) => sql`(finished_at is null or finished_at >= uuid_moment(${before}))`,
  },
};
