import type { Deps, Task } from '../../deps.ts';
import { submitTask } from './change.ts';
import { type FlowPayload, submitFlow } from './submit.ts';
import { findComparableAnyAccount, findUnsubmittedAnyAccount, syncFlows, syncTask } from './sync.ts';

/** Each by itself; those that failed are thrown together, and what is done is not done again. */
const each =
  (work: (deps: Deps, payload: FlowPayload) => Promise<void>) =>
  async (deps: Deps, payloads: object[]): Promise<void> => {
    const results = await Promise.allSettled((payloads as FlowPayload[]).map((payload) => work(deps, payload)));
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
  };

const chunkSize = 1000;

export const tasks: Task[] = [
  { name: submitTask, batchSize: 10, handler: each(submitFlow) },
  { name: syncTask, batchSize: 10, handler: each(syncFlows) },
  {
    name: 'flows.sync-all',
    batchSize: 1,
    cron: '47 * * * *',
    async handler(deps) {
      const enqueue = async (task: string, payloads: FlowPayload[]): Promise<void> => {
        for (let from = 0; from < payloads.length; from += chunkSize) {
          await deps.queue.enqueue(deps.db, task, payloads.slice(from, from + chunkSize));
        }
      };
      await enqueue(submitTask, await findUnsubmittedAnyAccount(deps.db));
      await enqueue(syncTask, await findComparableAnyAccount(deps.db));
    },
  },
];
