import { sql } from 'kysely';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Db } from './platform/db/connect/pool.ts';
import { within } from './platform/time/pause.ts';
import { type QueueLook, queueLooks } from './queues.ts';

/** Scrapes that come closer together are answered with the same look. */
const keptMs = 5_000;
/** Less than the processes of a server wait for each other's metrics. */
const patienceMs = 700;
const statementMs = 5_000;

type Looks = Map<string, QueueLook>;

/**
 * Shows at `/metrics` how much waits in every queue of the database. It is looked at when somebody asks, and not more often than every
 * few seconds. A database that is slow or away leaves the queues out of the response; the rest of it comes in time.
 */
export function showQueues(registry: Registry, db: Db): void {
  const registers = [registry];
  const failures = new Counter({
    name: 'parley_queue_look_failures_total',
    help: 'Looks at the queues that failed or took too long; the response to that scrape had no queues.',
    registers,
  });
  const looking = makeLooking(db);
  const look = (): Promise<Looks | undefined> => within(patienceMs, looking()).catch(() => undefined);
  new Gauge({
    name: 'parley_queue_depth',
    help: 'What waits in the queues of the database, by queue and state, counted up to 20000. The same for every process.',
    labelNames: ['queue', 'state'],
    aggregator: 'first',
    registers,
    async collect() {
      const looks = await look();
      if (!looks) failures.inc();
      this.reset();
      for (const [queue, { depths }] of looks ?? []) {
        for (const [state, count] of Object.entries(depths)) this.set({ queue, state }, count);
      }
    },
  });
  new Gauge({
    name: 'parley_queue_oldest_due_age_seconds',
    help: 'For how long the first of a queue has been due; 0: nothing is. The same for every process.',
    labelNames: ['queue'],
    aggregator: 'first',
    registers,
    async collect() {
      const looks = await look();
      this.reset();
      for (const [queue, { oldestSeconds }] of looks ?? []) this.set({ queue }, oldestSeconds);
    },
  });
}

/** One look at a time, which whoever asks meanwhile shares, and which serves for a few seconds. */
function makeLooking(db: Db): () => Promise<Looks> {
  let latest: { atMs: number; looks: Promise<Looks> } | undefined;
  return () => {
    if (latest && performance.now() - latest.atMs < keptMs) return latest.looks;
    const mine = { atMs: performance.now(), looks: lookAll(db) };
    latest = mine;
    mine.looks.catch(() => {
      if (latest === mine) latest = undefined;
    });
    return mine.looks;
  };
}

const lookAll = (db: Db): Promise<Looks> =>
  db.transaction().execute(async (db) => {
    await sql`select set_config('statement_timeout', ${String(statementMs)}, true)`.execute(db);
    const looks: Looks = new Map();
    for (const [queue, look] of Object.entries(queueLooks)) looks.set(queue, await look(db));
    return looks;
  });
