import type { Deps } from '../../deps.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { lockJob } from './queries.ts';
import { detailOf, end } from './running/finish.ts';
import type { JobDetail } from './schemas.ts';

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
