import { type Static, Type } from 'typebox';
import { FreeForm, ItemError, PageOf, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { nullable, tagged } from '../../platform/http/validation/index.ts';
import { CallbackUrl, type EventData } from '../webhooks/index.ts';
import { kinds } from './kinds/index.ts';
import type { JobRow } from './queries.ts';
import type { ResultRow } from './result-queries.ts';

export const JobType = Type.Enum(
  kinds.map(({ type }) => type),
  { title: 'JobType' },
);
export const JobStatus = Type.Enum(['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'], {
  title: 'JobStatus',
  description:
    'SUCCEEDED: all items were gone through; what came of each is in the results. FAILED: it ended before that.',
});

export const JobSubmit = tagged(
  'type',
  {
    callback_url: Type.Optional({ ...CallbackUrl, description: 'Told when the job has ended, signed like a webhook.' }),
  },
  Object.fromEntries(kinds.filter(({ isInternal }) => !isInternal).map(({ type, Input }) => [type, { input: Input }])),
  { title: 'JobSubmit' },
);
/** What the schema lets through, whatever the type. */
export interface JobSubmit {
  type: string;
  input: unknown;
  callback_url?: string;
}

const createdFields = { id: Uuid(), type: JobType, status: JobStatus, created: Timestamp() };
export const JobCreated = Type.Object(createdFields, { title: 'JobCreated' });

const JobError = Type.Object(
  {
    index: Type.Optional(Type.Integer({ description: 'The item, counted from 0.' })),
    line: Type.Optional(Type.Integer({ description: 'The line of the file, the first being 1.' })),
    error: ItemError,
  },
  { title: 'JobError', description: 'What is wrong with an item: what it would have been answered by itself.' },
);

const jobFields = {
  id: Uuid(),
  type: JobType,
  status: JobStatus,
  progress: Type.Object({
    done: Type.Integer({ description: 'Items gone through.' }),
    total: nullable(Type.Integer({ description: 'null: not known yet.' })),
  }),
  result: nullable(
    FreeForm({
      description: 'When it has ended: how many items succeeded and failed, or what else came of it.',
      examples: [{ succeeded: 9998, failed: 2 }],
    }),
  ),
  reason: Type.String({ description: 'Why it FAILED.' }),
  callback_url: nullable(Type.String()),
  created: Timestamp(),
  started: nullable(Timestamp()),
  finished: nullable(Timestamp()),
};
export const Job = Type.Object(jobFields, { title: 'Job' });
export const JobDetail = Type.Object(
  {
    ...jobFields,
    errors: Type.Array(JobError, { description: 'The first 100; all are in the results.' }),
  },
  { title: 'JobDetail' },
);
export type JobDetail = Static<typeof JobDetail>;
export const JobCallback = Type.Object(
  { type: Type.Literal('job.finished'), timestamp: Timestamp('When the job ended.'), data: JobDetail },
  { title: 'JobCallback', description: 'What the callback address of a job is sent when it has ended.' },
);
export const JobList = PageOf(Job, 'JobList');

const place = { index: JobError.properties.index, line: JobError.properties.line };
const JobSuccess = Type.Object(
  { ...place, ok: Type.Literal(true), value: FreeForm({ description: 'What it was answered.' }) },
  { title: 'JobSuccess' },
);
const JobRefusal = Type.Object({ ...place, ok: Type.Literal(false), error: ItemError }, { title: 'JobRefusal' });
export const JobResultPage = PageOf(Type.Unsafe<object>({ anyOf: [JobSuccess, JobRefusal] }), 'JobResultPage');

export const presentCreated = ({ uuid, type, status, created }: JobRow) => ({ id: uuid, type, status, created });

export const presentJob = (row: JobRow) => ({
  id: row.uuid,
  type: row.type,
  status: row.status as JobDetail['status'],
  progress: { done: row.done, total: row.total },
  result: row.finished_at === null ? null : row.counts,
  reason: row.reason,
  callback_url: row.callback_url,
  created: row.created,
  started: row.started_at,
  finished: row.finished_at,
});

export const presentDetail = (row: JobRow, failures: ResultRow[]): JobDetail => ({
  ...presentJob(row),
  errors: failures.map((failure) => ({ ...placeOf(row, failure), error: failure.value })),
});

export const presentResult = (job: JobRow) => (result: ResultRow) => ({
  ...placeOf(job, result),
  ok: result.ok,
  ...(result.ok ? { value: result.value } : { error: result.value }),
});

const placeOf = ({ from_file }: JobRow, { index }: ResultRow) => (from_file ? { line: index } : { index });

export const jobEvents = { 'job.finished': JobDetail } satisfies EventData;
