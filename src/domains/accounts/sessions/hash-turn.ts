import { throttled } from '../../../platform/http/gate.ts';
import { makeTurns, NoTurn, type Waiting } from '../../../platform/work/turns.ts';

/** A hash takes 128 MiB, and one of the process's four threads, which files and host names are looked up with as well. */
const takeTurns = makeTurns({ atOnce: 2, mostWaiting: 40, waitMs: 30_000 });
const busySeconds = 5;

/** Runs work that hashes a password when it is its turn, of all in this process; 429 for whoever does not get one. */
export async function inHashTurn<T>(waiting: Waiting, work: () => Promise<T>): Promise<T> {
  try {
    return await takeTurns(waiting, work);
  } catch (error) {
    throw error instanceof NoTurn ? throttled(busySeconds) : error;
  }
}
