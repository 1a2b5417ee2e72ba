import { besideCalled } from '../../platform/http/called-url.ts';
import type { Answer } from '../../platform/http/route.ts';
import type { JobRow } from './queries.ts';
import { presentCreated } from './schemas.ts';

export const jobsUrl = '/v3/jobs/';

/** The answer to whoever made a job: it is not done yet, and where to look after it. */
export const accepted = (job: JobRow, called: URL): Answer => ({
  status: 202,
  body: presentCreated(job),
  headers: { location: besideCalled(called, `${jobsUrl}${job.uuid}/`) },
});
