import type { Task } from '../../deps.ts';
import { purgeRecordingsAnyAccount } from './records/purge.ts';

export const tasks: Task[] = [
  {
    name: 'voice.sweep',
    batchSize: 1,
    cron: '23 3 * * *',
    handler: async (deps) => void (await purgeRecordingsAnyAccount(deps)),
  },
];
