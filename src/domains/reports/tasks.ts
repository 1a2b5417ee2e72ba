import type { Task } from '../../deps.ts';
import { countTask, keepUp } from './gather.ts';
import type { Metric } from './metrics.ts';

/** The queue takes a task for dead after five minutes. */
const mostMs = 200_000;

interface Wanted {
  account: string;
  metric: Metric;
  from: string;
  to: string;
}

/** Counts the days that a report found missing. What is left when time is over is a task again. */
export const tasks: Task[] = [
  {
    name: countTask,
    batchSize: 1,
    async handler(deps, payloads) {
      for (const { account, metric, ...span } of payloads as Wanted[]) {
        const query = deps.db.selectFrom('accounts').select('time_zone').where('uuid', '=', account);
        const found = await query.executeTakeFirst();
        // It may be deleted by now.
        if (found) await keepUp(deps, account, { metric, span, timeZone: found.time_zone }, mostMs);
      }
    },
  },
];
