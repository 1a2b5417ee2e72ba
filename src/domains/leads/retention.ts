import { sql } from 'kysely';
import type { RetentionRule } from '../../platform/db/retention.ts';

/** Somebody who works on a lead keeps it. */
export const leadRetention: RetentionRule = {
  kind: 'leads',
  tables: [{ name: 'leads', key: 'uuid' }],
  waiting: { when: (before) => sql`modified >= uuid_moment(${before})` },
  isWhole: true,
};
