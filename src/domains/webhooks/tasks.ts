import type { Task } from '../../deps.ts';
import { deleteOldCallbacksAnyAccount, reviveCallbacksAnyAccount } from './callbacks/queries.ts';
import { endOrphansAnyAccount } from './deliver/delivery-queries.ts';
import { forgetOldSecretsAnyAccount } from './queries.ts';

export const tasks: Task[] = [
  {
    name: 'webhooks.tidy',
    batchSize: 1,
    cron: '37 * * * *',
    async handler({ db }) {
      await endOrphansAnyAccount(db);
      await forgetOldSecretsAnyAccount(db);
      await reviveCallbacksAnyAccount(db);
      await deleteOldCallbacksAnyAccount(db);
    },
  },
];
