import type { Deps } from '../../deps.ts';
import { ApiError, type FieldErrors, ValidationError } from '../../platform/errors.ts';
import { type Answer, allows, besideCalled, type Principal } from '../../platform/http/route.ts';
import { newId } from '../../platform/ids.ts';
import { within } from '../../platform/within.ts';
import { appendEvents } from '../timeline/index.ts';
import { callbackUrlErrors } from '../webhooks/index.ts';
import { kindOf } from './kinds/index.ts';
import { insertJob, type JobRow } from './queries.ts';
import { type JobSubmit, presentCreated } from './schemas.ts';

/** Tells the processes that there is a new job. */
export const jobTopic = 'jobs';

/** Accepts a job whose input the schemas have let through: all that can be known of it now is checked now. */
export async function submitJob(deps: Deps, principal: Principal, submitted: JobSubmit): Promise<JobRow> {
  const { accountId, scopes } = principal;
  const { type, input, callback_url } = submitted;
  const kind = kindOf(type)!;
  // A job does nothing that its submitter could not do without it.
  if (!allows(scopes, kind.scope)) throw new ApiError('permission_denied');
  const errors: FieldErrors = {};
  const urlErrors = callback_url === undefined ? undefined : callbackUrlErrors(deps, callback_url);
  if (urlErrors) errors['callback_url'] = urlErrors;
  const inputErrors = await kind.check?.(deps, accountId, input);
  if (inputErrors) errors['input'] = inputErrors;
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
  return acceptJob(deps, accountId, {
    uuid: newId(),
    type,
    input,
    callback_url: callback_url ?? null,
    from_file: false,
    total: kind.totalOf(input),
  });
}

/** The row, its first event, and a sign to whoever may begin. */
export const acceptJob = (deps: Deps, accountId: string, job: Parameters<typeof insertJob>[2]): Promise<JobRow> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const row = await insertJob(db, accountId, job);
    await appendEvents(db, [
      { accountId, subjectType: 'job', subject: row.uuid, kind: 'job.queued', data: { type: row.type } },
    ]);
    deps.listener.signal(jobTopic, '');
    return row;
  });

export const jobsUrl = '/v3/jobs/';

/** The answer to whoever made a job: it is not done yet, and where to look after it. */
export const accepted = (job: JobRow, called: URL): Answer => ({
  status: 202,
  body: presentCreated(job),
  headers: { location: besideCalled(called, `${jobsUrl}${job.uuid}/`) },
});
