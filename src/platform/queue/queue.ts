import type { Pool } from 'pg';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Listener } from '../db/connect/listener.ts';
import type { Db } from '../db/connect/pool.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../work/loop.ts';
import { makeTurns } from '../work/turns.ts';

/** Background work of a domain. Payloads hold ids only; the handler re-reads what they name and returns if it is done. */
export interface Task<D, P extends object = object> {
  /** `domain.verb` */
  name: string;
  /** Jobs handed to one call of the handler. */
  batchSize: number;
  /** Standard cron, UTC, for work that recurs. */
  cron?: string;
  handler(deps: D, payloads: P[]): Promise<void>;
}

/** Jobs on pg-boss, in the same database: they commit with the rows they belong to and survive any crash. */
export interface Queue {
  /** Adds jobs in the caller's transaction; workers hear of them when it commits. */
  enqueue(db: Db, task: string, payloads: object[], options?: { startAfter?: Date }): Promise<void>;
  /** Creates the queues of these tasks and, with `work`, starts fetching. Two tasks of one name are refused. */
  start<D>(tasks: Task<D>[], deps: D, options: { work: boolean }): Promise<void>;
  /** null when it works, else a sentence for `/readyz`. */
  problem(): Promise<string | null>;
  /** Lets running jobs finish, then stops. */
  stop(): Promise<void>;
}

const deadLetters = 'dead-letter';

/** Work that fails is tried again after about 5, 10, 20 … seconds, six times, then kept in the dead-letter queue. */
const retries = { retryLimit: 6, retryDelay: 5, retryBackoff: true, expireInSeconds: 300, deadLetter: deadLetters };
const drainTimeoutMs = 10_000;
/** However many queues there are: each fetches for itself, and together they would open, and hold, all connections. */
const statements = { atOnce: 2, mostWaiting: 1000, waitMs: 60_000 };
/** New work is announced, and what is due later is looked for by one statement for all queues; this is for what both miss. */
const ownLookSeconds = 30;
const duePauseMs = 1000;
/** SQL text: whether work waits and is due, by the names of its queues. */
const dueText = (names: string): string => `exists (
    select 1 from pgboss.job_common where ${names} and state < 'active' and not blocked and start_after < now())`;
/** Dead letters are never taken. */
const anyDueText = [`name < '${deadLetters}'`, `name > '${deadLetters}'`].map(dueText).join(' or ');
const dueNamesText = `select task from unnest($1::text[]) as task where ${dueText('name = task')}`;

export function makeQueue({ pool, listener, log }: { pool: Pool; listener: Listener; log: Log }): Queue {
  const inTurn = makeTurns(statements);
  const ours = {
    // Transactions of several statements in one text: where one fails, the pool gives the connection up.
    executeSql: (text: string, values?: unknown[]) => inTurn({ key: '' }, () => pool.query(text, values)),
    // Heard for as long as the process listens at all.
    async listen(channel: string, onNotification: (payload: string) => void, onReconnect: () => void) {
      await listener.hear(channel, (payload) => (payload === undefined ? onReconnect() : onNotification(payload)));
      return { close: async () => {} };
    },
  };
  const boss = new PgBoss({ db: ours, schema: 'pgboss', useListenNotify: true });
  boss.on('error', (error) => log.warn({ error: error.message }, 'The queue had a problem'));
  let started = false;
  let dueLook: Loop | undefined;

  /** Wakes the workers whose work has become due. */
  const lookForDue = (workers: ReadonlyMap<string, string>): Loop => {
    const look = async (): Promise<number> => {
      const { rows } = await pool.query<{ task: string }>(dueNamesText, [[...workers.keys()]]);
      for (const { task } of rows) boss.notifyWorker(workers.get(task)!);
      return duePauseMs;
    };
    return startLoop(log, 'queue', look, { watch: listener.poll.watch(anyDueText) });
  };

  return {
    async enqueue(db, task, payloads, options = {}) {
      const jobs = payloads.map((data) => ({ data, ...options }));
      await boss.insert(task, jobs, { db: fromKysely(db as never) });
    },
    async start(tasks, deps, { work }) {
      const doubled = tasks.find((task, index) => tasks.findIndex((other) => other.name === task.name) !== index);
      if (doubled) throw new Error(`Two handlers for the task ${doubled.name}.`);
      await boss.start();
      started = true;
      // To create one, there or not, takes a lock that all of them share: after the first start there is none to create.
      const there = new Set((await boss.getQueues()).map(({ name }) => name));
      const missing = tasks.filter(({ name }) => !there.has(name));
      if (!there.has(deadLetters)) await boss.createQueue(deadLetters);
      await Promise.all(missing.map(({ name }) => boss.createQueue(name, { ...retries, notify: true })));
      if (!work) return;
      const workers = new Map<string, string>();
      const scheduled = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]));
      await Promise.all(
        tasks.map(async (task) => {
          if (task.cron && scheduled.get(task.name) !== task.cron) await boss.schedule(task.name, task.cron);
          const options = {
            batchSize: task.batchSize,
            pollingIntervalSeconds: 2,
            notifyPollingIntervalSeconds: ownLookSeconds,
          };
          const worker = await boss.work<object>(task.name, options, (jobs) =>
            task.handler(
              deps,
              jobs.map((job) => job.data ?? {}),
            ),
          );
          workers.set(task.name, worker);
        }),
      );
      dueLook = lookForDue(workers);
    },
    problem: () =>
      boss.getQueue(deadLetters).then(
        (queue) => (queue ? null : 'The queue is not set up.'),
        () => 'The queue cannot be reached.',
      ),
    async stop() {
      await dueLook?.stop();
      if (started) await boss.stop({ graceful: true, timeout: drainTimeoutMs });
    },
  };
}
