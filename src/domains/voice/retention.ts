import type { RetentionRule } from '../../platform/db/retention.ts';

/** Their recordings go at the same age, by themselves (`purge.ts`), and a file that no call speaks of goes in any case. */
export const callRetention: RetentionRule = {
  kind: 'calls',
  tables: [{ name: 'calls', key: 'uuid' }],
  waiting: { listed: { name: 'calls_under_way', key: 'uuid' } },
};
