import { Type } from 'typebox';
import { type Deps, route } from '../../../deps.ts';
import { pageQuery } from '../../../platform/db/page.ts';
import { notFound } from '../../../platform/errors.ts';
import { csvAnswer } from '../../../platform/http/files/csv.ts';
import { presentPage, Uuid, UuidParams } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { listOptedOut } from '../audience/queries.ts';
import { countFailures } from '../launches/failures.ts';
import { countOf } from '../launches/states.ts';
import { exportColumns, exportRows } from './export.ts';
import { findLog, type LogRow, listLogs, readLogs } from './queries.ts';
import {
  CampaignLogDetail,
  CampaignLogPage,
  CampaignLogStatus,
  OptedOutContactPage,
  presentLog,
  presentLogDetail,
  presentOptedOut,
} from './schemas.ts';

const tag = 'Campaigns';
const url = '/v2/campaign-logs/';
const one = `${url}:uuid/` as const;

async function needLog({ db }: Deps, accountId: string, uuid: string): Promise<LogRow> {
  const log = await findLog(db, accountId, uuid);
  if (!log) throw notFound();
  return log;
}

export const logRoutes = [
  route({
    method: 'GET',
    url,
    operationId: 'listCampaignLogs',
    summary: 'List launches',
    tag,
    scope: 'campaigns:read',
    query: Type.Object({
      ...pageQuery,
      campaign: Type.Optional(Uuid()),
      status: Type.Optional(CampaignLogStatus),
    }),
    responses: { 200: CampaignLogPage },
    handler: async ({ deps, accountId, query, url }) => {
      const page = await listLogs(deps.db, accountId, query);
      const rows = await readLogs(deps.db, accountId, page.rows);
      return ok(presentPage({ ...page, rows }, url(), (row) => presentLog(row)));
    },
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getCampaignLog',
    summary: 'Get a launch',
    tag,
    scope: 'campaigns:read',
    params: UuidParams,
    responses: { 200: CampaignLogDetail },
    handler: async ({ deps, accountId, params }) => {
      const log = await needLog(deps, accountId, params.uuid);
      const [counted] = await readLogs(deps.db, accountId, [log]);
      // Mostly there are none.
      const failures = countOf(counted!.counts, 'failed') > 0 ? await countFailures(deps.db, log) : {};
      return ok(presentLogDetail(counted!, failures));
    },
  }),
  route({
    method: 'GET',
    url: `${one}export/`,
    operationId: 'exportCampaignLog',
    summary: 'Export the result for each recipient as CSV',
    description: 'Everybody whom the launch has reached, in the order of their numbers.',
    tag,
    scope: 'campaigns:read',
    params: UuidParams,
    responses: { 200: Type.Unsafe<string>({ type: 'string', contentMediaType: 'text/csv' }) },
    handler: async ({ deps, accountId, params, request, reply }) => {
      const log = await needLog(deps, accountId, params.uuid);
      const rows = () => exportRows(deps.db, log);
      const form = { name: 'campaign-log', columns: exportColumns, rows };
      return ok(await csvAnswer(form, undefined, { request, reply, log: deps.log }));
    },
  }),
  route({
    method: 'GET',
    url: `${one}opted-out-contacts/`,
    operationId: 'listCampaignLogOptedOut',
    summary: 'List who was left out because of an opt-out',
    tag,
    scope: 'campaigns:read',
    params: UuidParams,
    query: Type.Object(pageQuery),
    responses: { 200: OptedOutContactPage },
    handler: async ({ deps, accountId, params, query, url }) => {
      const log = await needLog(deps, accountId, params.uuid);
      return ok(presentPage(await listOptedOut(deps.db, log, query), url(), presentOptedOut));
    },
  }),
];
