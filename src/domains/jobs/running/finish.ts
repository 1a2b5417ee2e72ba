import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { within } from '../../../platform/within.ts';
import { appendEvents } from '../../timeline/index.ts';
import { announce } from '../../webhooks/index.ts';
import { endJob, findJob, type JobRow, lockClaimed, lockJob } from '../queries.ts';
import { findFailures } from '../result-queries.ts';
import { type JobDetail, presentDetail } from '../schemas.ts';

/** Errors that stand in a job itself; all of them are in its results. */
const mostErrors = 100;

/** A job with its first errors. */
const detailOf = async (db: Db, accountId: string, job: JobRow): Promise<JobDetail> =>
  presentDetail(job, await findFailures(db, accountId, job.uuid, mostErrors));

export async function readJob(db: Db, accountId: string, uuid: string): Promise<JobDetail | undefined> {
  const job = await findJob(db, accountId, uuid);
  return job && detailOf(db, accountId, job);
}

type Ending = Parameters<typeof endJob>[3];

/** Ends a job that the caller has locked, and tells whoever wants to know, in one transaction. */
export async function end(db: Db, deps: Deps, accountId: string, uuid: string, ending: Ending): Promise<JobRow> {
  const job = await endJob(db, accountId, uuid, ending);
  const { status, reason, done, callback_url } = job;
  const kind = status === 'CANCELLED' ? 'job.cancelled' : 'job.finished';
  await appendEvents(db, [
    { accountId, subjectType: 'job', subject: uuid, kind, data: { status, done, ...(reason !== '' && { reason }) } },
  ]);
  const data = await detailOf(db, accountId, job);
  await announce(db, deps, [
    { accountId, type: 'job.finished', data, ...(callback_url !== null && { callbackUrl: callback_url }) },
  ]);
  deps.observer.job(job.type, status);
  return job;
}

/** Ends a job in the hands of this process, unless it was cancelled or taken over meanwhile. */
export const finishJob = (deps: Deps, accountId: string, uuid: string, ending: Ending): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    if (!(await lockClaimed(db, accountId, uuid, deps.listener.workerNumber))) return;
    await end(db, deps, accountId, uuid, ending);
  });

/** Ends a job where it stands. A step that is under way is waited for: what was done stays done, the rest is left alone. */
export const cancelJob = (deps: Deps, accountId: string, uuid: string): Promise<JobDetail> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const job = await lockJob(db, accountId, uuid);
    if (!job) throw notFound();
    if (job.status === 'SUCCEEDED' || job.status === 'FAILED') throw new ApiError('job_finished');
    const ended = job.status === 'CANCELLED' ? job : await end(db, deps, accountId, uuid, { status: 'CANCELLED' });
    return detailOf(db, accountId, ended);
  });
