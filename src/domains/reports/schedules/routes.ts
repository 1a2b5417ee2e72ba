import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { originOf } from '../../../platform/config.ts';
import { pageQuery } from '../../../platform/db/page.ts';
import { notFound } from '../../../platform/errors.ts';
import { presentPage, UuidParams } from '../../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../../platform/http/route.ts';
import { within } from '../../../platform/within.ts';
import { findAccount } from '../../accounts/index.ts';
import { changeSchedule, createSchedule } from './change.ts';
import { deleteSchedule, findSchedule, listRuns, listSchedules, lockSchedule } from './queries.ts';
import { type AcceptJob, beginRun } from './run.ts';
import {
  presentRun,
  presentSchedule,
  ReportRun,
  ReportRunPage,
  ReportSchedule,
  ReportScheduleCreate,
  ReportSchedulePage,
  ReportSchedulePatch,
  type ScheduleFields,
  scheduleDefaults,
} from './schemas.ts';

const tag = 'Reports';
const url = '/v2/report-schedules/';
const one = `${url}:uuid/` as const;

/** `accept` makes the job of a report that is asked for at once. */
export const makeScheduleRoutes = (accept: AcceptJob) => [
  route({
    method: 'GET',
    url,
    operationId: 'listReportSchedules',
    summary: 'List report schedules',
    tag,
    scope: 'insight:read',
    query: Type.Object(pageQuery),
    responses: { 200: ReportSchedulePage },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listSchedules(deps.db, accountId, query), url(), presentSchedule)),
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createReportSchedule',
    summary: 'Create a report schedule',
    description: 'Each time a report is ready, `report.ready` is sent to your webhooks. At most 100 for an account.',
    tag,
    scope: 'insight:write',
    body: ReportScheduleCreate,
    responses: { 201: ReportSchedule },
    example: {
      name: 'Calls by source',
      metric: 'calls',
      group_by: 'source',
      every: 'week',
      weekday: 'monday',
      hour: 8,
    },
    handler: async ({ deps, accountId, body }) => {
      const fields = { ...scheduleDefaults, ...body } as ScheduleFields;
      return created(presentSchedule(await createSchedule(deps, accountId, fields)));
    },
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getReportSchedule',
    summary: 'Get a report schedule',
    tag,
    scope: 'insight:read',
    params: UuidParams,
    responses: { 200: ReportSchedule },
    tagged: { without: ['next_run', 'modified'], row: 'report_schedules' },
    handler: async ({ deps, accountId, params }) => {
      const row = await findSchedule(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentSchedule(row));
    },
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'updateReportSchedule',
    summary: 'Change the named fields of a report schedule',
    tag,
    scope: 'insight:write',
    params: UuidParams,
    body: ReportSchedulePatch,
    responses: { 200: ReportSchedule },
    example: { hour: 7 },
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentSchedule(await changeSchedule(deps, accountId, params.uuid, body as Partial<ScheduleFields>))),
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteReportSchedule',
    summary: 'Delete a report schedule',
    tag,
    scope: 'insight:write',
    params: UuidParams,
    responses: { 204: null },
    handler: async ({ deps, accountId, params }) => {
      if (!(await within(deps, ({ db }) => deleteSchedule(db, accountId, params.uuid)))) throw notFound();
      return noContent();
    },
  }),
  route({
    method: 'GET',
    url: `${one}runs/`,
    operationId: 'listReportRuns',
    summary: 'List the reports that a schedule has made',
    tag,
    scope: 'insight:read',
    params: UuidParams,
    query: Type.Object(pageQuery),
    responses: { 200: ReportRunPage },
    handler: async ({ deps, accountId, params, query, url }) => {
      if (!(await findSchedule(deps.db, accountId, params.uuid))) throw notFound();
      const page = await listRuns(deps.db, accountId, params.uuid, query);
      return ok(presentPage(page, url(), presentRun(originOf(deps.config))));
    },
  }),
  route({
    method: 'POST',
    url: `${one}run/`,
    operationId: 'runReportSchedule',
    summary: 'Make the report of a schedule now',
    description: 'Of the days before today. The time of the next one stays as it is.',
    tag,
    scope: 'insight:write',
    params: UuidParams,
    responses: { 201: ReportRun },
    handler: async ({ deps, accountId, params }) => {
      const run = await within(deps, async (deps) => {
        const row = await lockSchedule(deps.db, accountId, params.uuid);
        if (!row) throw notFound();
        const { time_zone } = await findAccount(deps.db, accountId);
        return beginRun(deps, row, time_zone, accept);
      });
      return created(presentRun(originOf(deps.config))(run));
    },
  }),
];
