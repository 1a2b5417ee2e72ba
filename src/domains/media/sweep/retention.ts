import type { RetentionRule } from '../../../platform/db/retention.ts';

/** Files that people sent go with their messages; the bytes follow with the next sweep. What an account uploaded stays. */
export const inboundMediaRetention: RetentionRule = {
  kind: 'media',
  tables: [{ name: 'media', key: 'message' }],
  isWhole: true,
};
