import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { within } from '../../../platform/within.ts';
import type { Verdict } from '../kind.ts';
import { lockClaimed, storeProgress } from '../queries.ts';
import { insertResults, type NewResult } from '../result-queries.ts';
import type { ClaimedJob } from './claim-queries.ts';

/** What came of the items, counted; and what the numbers are to be read with. */
export type Counts = Record<string, number | true>;

/** How far a job is after a step, and what came of the items of that step. */
export interface Progress {
  /** Items gone through, from the first one on. */
  done: number;
  /** How many there are, where that is found out on the way. */
  total?: number;
  /** What to add to the counts. */
  counts: Counts;
  results: NewResult[];
  /** The file that the job made is in its place, with so many bytes. */
  fileSize?: number;
}

/** A job in the hands of this process. */
export interface Work extends Pick<ClaimedJob, 'input' | 'file_size'> {
  deps: Deps;
  accountId: string;
  job: string;
  /** Items gone through when this process took it. */
  done: number;
  /**
   * One transaction: the next items with their effects, their results, and how far the job is. Whoever dies in it has done
   * nothing. Tells `perform` how many items were gone through before. `stop`: it was not called, and nothing was done.
   */
  step(perform: (deps: Deps, done: number) => Promise<Progress>): Promise<Verdict>;
  /** The same as the end of a transaction which somebody else began. */
  note(db: Db, progress: Progress): Promise<Verdict>;
}

/** Somebody else has the job by now, or it was cancelled: the transaction must not commit. */
export class NotOurs extends Error {
  override name = 'NotOurs';
}

export function makeWork(deps: Deps, claimed: ClaimedJob, isStopping: () => boolean): Work {
  const { account_id: accountId, uuid: job, input, file_size } = claimed;
  let steps = 0;
  const lock = (db: Db) => lockClaimed(db, accountId, job, deps.listener.workerNumber);
  const store = async (db: Db, { results, counts, ...rest }: Progress, before: Counts) => {
    await insertResults(db, accountId, job, results);
    await storeProgress(db, accountId, job, { ...rest, counts: sum(before, counts) });
  };
  return {
    deps,
    accountId,
    job,
    input,
    file_size,
    done: claimed.done,
    async step(perform) {
      if (isStopping()) return 'stop';
      // A job of one step is waited for as requests are; what takes many is bulk work.
      if (steps++ > 0) await deps.foreground.giveWay(accountId);
      return within(deps, async (deps) => {
        const { db } = deps;
        const state = await lock(db);
        if (!state) return 'stop';
        await store(db, await perform(deps, state.done), state.counts);
        return 'go';
      });
    },
    async note(db, progress) {
      const state = await lock(db);
      if (!state) throw new NotOurs('The job is not ours any more.');
      await store(db, progress, state.counts);
      return isStopping() ? 'stop' : 'go';
    },
  };
}

const sum = (before: Counts, more: Counts): Counts => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(more).map(([name, count]) => [name, count === true || Number(before[name] ?? 0) + count]),
  ),
});
