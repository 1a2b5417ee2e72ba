import type { Deps, Task } from '../../deps.ts';
import { removeTemplate, submitTemplate, type TemplateJob } from './submit.ts';
import { type SyncJob, syncAllTemplates, syncTemplates } from './sync/sync.ts';

/** Each job of a batch gets its try; if one fails, the batch comes again, and those that are done find nothing to do. */
const together =
  <P>(work: (deps: Deps, payload: P) => Promise<void>) =>
  async (deps: Deps, payloads: P[]): Promise<void> => {
    const results = await Promise.allSettled(payloads.map((payload) => work(deps, payload)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  };

export const tasks: Task[] = [
  { name: 'templates.submit', batchSize: 10, handler: together<TemplateJob>(submitTemplate) } as Task,
  { name: 'templates.delete', batchSize: 10, handler: together<TemplateJob>(removeTemplate) } as Task,
  { name: 'templates.sync', batchSize: 10, handler: together<SyncJob>(syncTemplates) } as Task,
  { name: 'templates.sync-all', batchSize: 1, cron: '7 * * * *', handler: (deps) => syncAllTemplates(deps) },
];
