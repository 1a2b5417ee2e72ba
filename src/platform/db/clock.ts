import { sql } from 'kysely';
import type { Log } from '../log.ts';
import { correctSystemClock, steadyMs, systemMs } from '../time/clock.ts';
import { startLoop } from '../work/loop.ts';
import type { Db } from './connect/pool.ts';

/**
 * Keeps the process's time with the database's clock, so that all processes mean the same moment by "due". Between two looks it
 * is counted on by the monotonic clock: setting the machine's clock moves nothing.
 */
export interface FollowedClock {
  stop(): Promise<void>;
}

/** Which clock was set: that of the machine the process runs on, or the database's. */
export type JumpedClock = 'machine' | 'database';

export interface ClockOptions {
  log: Log;
  /** A clock was set. Whatever waits for a moment looks at it again. */
  onJump(clock: JumpedClock, byMs: number): void;
}

const lookPauseMs = 1000;
/** More than this between two looks is no drift. */
const jumpMs = 1000;
/** Nearer than this the database's clock cannot be read: its answer takes a while, and ours are busy processes. */
const toleranceMs = 50;

export async function followDatabaseClock(db: Db, { log, onJump }: ClockOptions): Promise<FollowedClock> {
  let machineAheadMs = Date.now() - steadyMs();

  const watchMachine = (): void => {
    const byMs = Date.now() - steadyMs() - machineAheadMs;
    machineAheadMs += byMs;
    if (Math.abs(byMs) < jumpMs) return;
    log.warn(`The clock of this machine was set ${spell(byMs)}. Parley goes by the database's clock.`);
    onJump('machine', byMs);
  };

  const first = await readOffset(db);
  correctSystemClock(first.byMs);
  if (Math.abs(first.byMs) >= jumpMs) {
    log.warn(`The database's clock is ${spell(first.byMs)} of this machine's. Parley goes by the database's.`);
  }

  const loop = startLoop(log, 'clock', async () => {
    watchMachine();
    const { byMs, uncertaintyMs } = await readOffset(db);
    if (Math.abs(byMs) <= uncertaintyMs + toleranceMs) return lookPauseMs;
    correctSystemClock(byMs);
    if (Math.abs(byMs) >= jumpMs + uncertaintyMs) {
      log.warn(`The database's clock was set ${spell(byMs)}. What waits for a moment is looked at again.`);
      onJump('database', byMs);
    }
    return lookPauseMs;
  });
  return loop;
}

/** How far the process's time is behind the database's, and by how much that may be wrong. */
async function readOffset(db: Db): Promise<{ byMs: number; uncertaintyMs: number }> {
  const askedMs = systemMs();
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(db);
  const uncertaintyMs = (systemMs() - askedMs) / 2;
  return { byMs: Math.round(rows[0]!.ms - askedMs - uncertaintyMs), uncertaintyMs };
}

const spell = (byMs: number): string => `${Math.abs(byMs / 1000).toFixed(1)} s ${byMs > 0 ? 'ahead' : 'back'}`;

/**
 * SQL texts about moments that were stored by the database's clock. A clock can be set back, and then what was stored before lies
 * in the future: nothing may wait until the clock is there again.
 */

/** The seconds since a moment, until now or another one; none since one in the future. */
export const elapsedText = (column: string, until = 'clock_timestamp()'): string =>
  `greatest(0, extract(epoch from ${until} - ${column})::float8)`;

/** Whether a moment is longer ago than `age`, or so far ahead that the clock was set back since. */
export const isOverText = (column: string, age: string, now = 'now()'): string =>
  `(${column} < ${now} - interval '${age}' or ${column} > ${now} + interval '1 minute')`;
