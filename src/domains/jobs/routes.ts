import { Type } from 'typebox';
import { type Deps, route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { presentPage, Uuid } from '../../platform/http/openapi/models.ts';
import { allows, ok, type Principal, type Scope } from '../../platform/http/route.ts';
import { erasureRoutes } from './erasure-routes.ts';
import { serveRefusedRows, serveResult } from './files.ts';
import { kindOf } from './kinds/index.ts';
import { findJob, type JobRow, listJobs } from './queries.ts';
import { listResults } from './result-queries.ts';
import { cancelJob, readJob } from './running/finish.ts';
import {
  JobCallback,
  JobCreated,
  JobDetail,
  JobList,
  JobResultPage,
  JobStatus,
  JobSubmit,
  JobType,
  presentJob,
  presentResult,
} from './schemas.ts';
import { accepted, jobsUrl, submitJob } from './submit.ts';
import { uploadRoutes } from './upload.ts';

const tag = 'Jobs';
const url = jobsUrl;
const one = `${url}:id/` as const;
const JobParams = Type.Object({ id: Uuid() });

/** What a job brought is for those who could have read it without the job. */
async function readable({ db }: Deps, { accountId, scopes }: Principal, id: string): Promise<JobRow> {
  const job = await findJob(db, accountId, id);
  if (!job) throw notFound();
  const group = kindOf(job.type)?.scope.split(':')[0];
  if (!allows(scopes, `${group}:read` as Scope)) throw new ApiError('permission_denied');
  return job;
}

export const routes = [
  route({
    method: 'POST',
    url,
    operationId: 'submitJob',
    summary: 'Submit a job',
    description:
      'The whole input is checked before the job is accepted. Problems that only show while it runs are in the results.',
    tag,
    scope: 'jobs:write',
    body: JobSubmit,
    responses: { 202: JobCreated },
    callback: { field: 'callback_url', body: JobCallback },
    example: {
      type: 'sms.send',
      input: { from: 'Parley', to: ['+44 7700 900123', '+44 7700 900124'], text: 'We are open on Sunday.' },
      callback_url: 'https://example.com/callbacks/jobs',
    },
    handler: async ({ deps, principal, body, url }) =>
      accepted(await submitJob(deps, principal, body as JobSubmit), url()),
  }),
  route({
    method: 'GET',
    url,
    operationId: 'listJobs',
    summary: 'List jobs',
    tag,
    scope: 'jobs:read',
    query: Type.Object({ ...pageQuery, type: Type.Optional(JobType), status: Type.Optional(JobStatus) }),
    responses: { 200: JobList },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listJobs(deps.db, accountId, query), url(), presentJob)),
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getJob',
    summary: 'Get a job: its progress, or its result',
    tag,
    scope: 'jobs:read',
    params: JobParams,
    responses: { 200: JobDetail },
    handler: async ({ deps, accountId, params }) => {
      const job = await readJob(deps.db, accountId, params.id);
      if (!job) throw notFound();
      return ok(job);
    },
  }),
  route({
    method: 'POST',
    url: `${one}cancel/`,
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    description: 'What it has done stays done; the rest is skipped.',
    tag,
    scope: 'jobs:write',
    params: JobParams,
    responses: { 200: JobDetail },
    errors: [409],
    handler: async ({ deps, accountId, params }) => ok(await cancelJob(deps, accountId, params.id)),
  }),
  route({
    method: 'GET',
    url: `${one}results/`,
    operationId: 'listJobResults',
    summary: 'List the results of a job, item by item',
    description: 'In the order of the items. For an imported file, only the rejected lines.',
    tag,
    scope: 'jobs:read',
    params: JobParams,
    query: Type.Object({
      page_size: pageQuery.page_size,
      cursor: pageQuery.cursor,
      ok: Type.Optional(Type.Boolean({ description: 'Only those that succeeded, or only those that failed.' })),
    }),
    responses: { 200: JobResultPage },
    handler: async ({ deps, accountId, principal, params, query, url }) => {
      const job = await readable(deps, principal, params.id);
      return ok(presentPage(await listResults(deps.db, accountId, job.uuid, query), url(), presentResult(job)));
    },
  }),
  route({
    method: 'GET',
    url: `${one}file/`,
    operationId: 'getJobFile',
    reads: 'content',
    summary: 'Download the file of an export job',
    description: '404 until the file exists, and again after a week, when it is removed.',
    tag,
    scope: 'jobs:read',
    params: JobParams,
    responses: { 200: Type.String({ contentMediaType: 'text/csv' }) },
    handler: async ({ deps, accountId, principal, params }) =>
      serveResult(deps, accountId, await readable(deps, principal, params.id)),
  }),
  route({
    method: 'GET',
    url: `${one}refused-rows/`,
    operationId: 'getRefusedRows',
    summary: 'Download the refused rows of an imported file',
    description:
      'The rows with all their columns as they were uploaded, and `refusal_reason` behind them: mend them and upload the file again. ' +
      '404 until the job has ended, for a job without a file, and again after a week, when the file is removed.',
    tag,
    scope: 'jobs:read',
    params: JobParams,
    responses: { 200: Type.String({ contentMediaType: 'text/csv' }) },
    handler: async ({ deps, accountId, principal, params }) =>
      serveRefusedRows(deps, accountId, await readable(deps, principal, params.id)),
  }),
  ...uploadRoutes,
  ...erasureRoutes,
];
