import type { Task } from '../../deps.ts';
import { fetchInbound } from './fetch.ts';
import type { FileId } from './inbound-queries.ts';
import { sweep } from './sweep/sweep.ts';

const fetch: Task<FileId> = { name: 'media.fetch', batchSize: 5, handler: fetchInbound };

export const tasks: Task[] = [
  fetch as Task,
  { name: 'media.sweep', batchSize: 1, cron: '41 3 * * *', handler: (deps) => sweep(deps) },
];
