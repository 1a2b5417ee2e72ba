import type { Deps } from '../../../deps.ts';
import { CsvError } from '../../../platform/csv/read.ts';
import { databaseTrouble } from '../../../platform/db/connect/failure.ts';
import { FileStoreError } from '../../../platform/files/files.ts';
import { isDiskFull } from '../../../platform/process/disk.ts';
import { startLoop } from '../../../platform/work/loop.ts';
import { retryPauseMs } from '../../../platform/work/retry.ts';
import { appendEvents } from '../../timeline/index.ts';
import { JobFailure } from '../kind.ts';
import { kindOf } from '../kinds/index.ts';
import { jobTopic } from '../submit.ts';
import { type ClaimedJob, claimNextAnyAccount, postponeJob, releaseJob } from './claim-queries.ts';
import { finishJob } from './finish.ts';
import { makeWork, NotOurs } from './work.ts';

const mostAtOnce = 4;
const pauseMs = 1000;
const somethingText = "exists (select 1 from jobs where status in ('QUEUED', 'RUNNING'))";

/**
 * Works at jobs, several at a time. Where each stands is in its row: one that this process lets fall, however it ends, is
 * taken up by another exactly there.
 */
export function startJobs(deps: Deps): { stop(): Promise<void> } {
  const underWay = new Map<string, Promise<void>>();
  let isStopping = false;

  const begin = async (job: ClaimedJob): Promise<void> => {
    try {
      await runJob(deps, job, () => isStopping);
    } catch (error) {
      // Its row still says that it is ours, and not being under way it is taken up again.
      deps.log.warn({ error: (error as Error).message, job: job.uuid }, 'A job was let fall');
    } finally {
      underWay.delete(job.uuid);
      loop.wake();
    }
  };

  const claimSome = async (): Promise<number> => {
    while (underWay.size < mostAtOnce && !isStopping) {
      const job = await claimNext(deps, [...underWay.keys()]);
      if (!job) break;
      underWay.set(job.uuid, begin(job));
    }
    return pauseMs;
  };
  const loop = startLoop(deps.log, 'jobs', claimSome, { watch: deps.listener.poll.watch(somethingText) });
  deps.listener.on(jobTopic, () => loop.wake());

  return {
    async stop() {
      isStopping = true;
      await loop.stop();
      await Promise.all(underWay.values());
    },
  };
}

const claimNext = ({ db, listener }: Deps, underWay: string[]): Promise<ClaimedJob | undefined> =>
  db.transaction().execute(async (db) => {
    const job = await claimNextAnyAccount(db, listener.workerNumber, underWay);
    if (job?.is_new) {
      const { account_id: accountId, uuid: subject } = job;
      await appendEvents(db, [{ accountId, subjectType: 'job', subject, kind: 'job.started' }]);
    }
    return job;
  });

/** A step that fails is tried again so often, ever more slowly; so is one in which the process died. */
const mostRetries = 5;

/** When a job that asks for it goes on: after all that others remember for a few seconds. */
const laterMs = 15_000;

/** Does a job from where it stands to its end, or until it is cancelled or `isStopping`. */
async function runJob(deps: Deps, claimed: ClaimedJob, isStopping: () => boolean): Promise<void> {
  const { account_id: accountId, uuid, type, attempts } = claimed;
  const worker = deps.listener.workerNumber;
  const fail = (reason: string) => finishJob(deps, accountId, uuid, { status: 'FAILED', reason });
  if (attempts > mostRetries) return fail(givenUp);
  try {
    const kind = kindOf(type);
    if (!kind) return await fail(`This version does not know jobs of the type ${type}.`);
    const verdict = await kind.run(makeWork(deps, claimed, isStopping));
    if (verdict === 'go') await finishJob(deps, accountId, uuid, { status: 'SUCCEEDED' });
    else if (verdict === 'stop') await releaseJob(deps.db, accountId, uuid, worker);
    else await postponeJob(deps.db, accountId, uuid, { worker, pauseMs: laterMs, mostRetries, counts: false });
  } catch (error) {
    if (error instanceof NotOurs) return;
    if (error instanceof JobFailure || error instanceof CsvError) return fail(error.message);
    deps.log.error({ err: error, job: uuid, type, attempts }, 'A step of a job failed');
    const pauseMs = retryPauseMs(attempts + 1, undefined);
    // That the database or the file store is away, or a disk full, is no fault of the job's, however often it happens.
    const trouble = isDiskFull(error) ? 'full' : databaseTrouble(error);
    const counts = !(error instanceof FileStoreError) && (trouble === undefined || trouble === 'slow');
    if (await postponeJob(deps.db, accountId, uuid, { worker, pauseMs, mostRetries, counts })) return;
    await fail(givenUp);
  }
}

const givenUp = 'An unexpected error came again at every try. What was done until then stays done.';
