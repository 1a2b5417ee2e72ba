import { sql } from 'kysely';
import type { RetentionRule } from '../../platform/db/retention.ts';

/** Who opted out and when is evidence in a dispute; what an account had of a number is what it is billed for. */
export const eventRetention: RetentionRule = {
  kind: 'events',
  tables: [{ name: 'events', key: 'uuid' }],
  forever: [sql`subject_type = 'opt_out'`, sql`subject_type = 'number'`],
};
