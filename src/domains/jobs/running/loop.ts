import type { Deps } from '../../../deps.ts';
import { startLoop } from '../../../platform/work/loop.ts';
import { appendEvents } from '../../timeline/index.ts';
import { jobTopic } from '../submit.ts';
import { type ClaimedJob, claimNextAnyAccount } from './claim-queries.ts';
import { runJob } from './run.ts';

const mostAtOnce = 4;
const pauseMs = 1000;
const somethingText = "exists (select from jobs where status in ('QUEUED', 'RUNNING'))";

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
