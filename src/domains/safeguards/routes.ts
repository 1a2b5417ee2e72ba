import { Type } from 'typebox';
import { route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { notFound } from '../../platform/errors.ts';
import { presentPage, UuidParams } from '../../platform/http/openapi/models.ts';
import { ok } from '../../platform/http/route.ts';
import { changeSafeguards, reviewRange } from './change.ts';
import { explain } from './explain.ts';
import { findIncident, findSettings, listIncidents } from './queries.ts';
import {
  ExplainRequest,
  Explanation,
  Incident,
  IncidentPage,
  incidentFilters,
  presentIncident,
  presentSafeguards,
  Review,
  Safeguards,
  SafeguardsPatch,
} from './schemas.ts';

const tag = 'Safeguards';
const url = '/v2/account/safeguards/';
const incidentsUrl = '/v2/safeguard-incidents/';

export const routes = [
  route({
    method: 'GET',
    url,
    operationId: 'getSafeguards',
    summary: 'Get the safeguards',
    description: 'Where and how much the account may send and call.',
    tag,
    scope: 'account:read',
    responses: { 200: Safeguards },
    tagged: { row: (accountId) => ({ table: 'accounts', where: { uuid: accountId } }) },
    handler: async ({ deps, accountId }) => ok(presentSafeguards(await findSettings(deps.db, accountId))),
  }),
  route({
    method: 'PATCH',
    url,
    operationId: 'updateSafeguards',
    summary: 'Update the safeguards',
    tag,
    scope: 'account:write',
    body: SafeguardsPatch,
    responses: { 200: Safeguards },
    example: {
      allowed_countries: ['GB', 'IE'],
      highest_price_class: 'STANDARD',
      caps: [{ channel: 'SMS', per: 'ACCOUNT', window: 'HOUR', measure: 'COUNT', max: 10_000 }],
      pumping_recipients: 50,
    },
    handler: async ({ deps, accountId, body }) => ok(await changeSafeguards(deps, accountId, body)),
  }),
  route({
    method: 'POST',
    url: `${url}explain/`,
    operationId: 'explainSafeguards',
    summary: 'Explain whether something would be sent',
    description: 'Says which safeguards would refuse it and what is used of the caps. Nothing is sent or counted.',
    tag,
    scope: 'account:read',
    body: ExplainRequest,
    responses: { 200: Explanation },
    example: { channel: 'SMS', sender: 'Parley', to: '+44 7700 900123' },
    handler: async ({ deps, accountId, body }) => ok(await explain(deps, accountId, body)),
  }),
  route({
    method: 'GET',
    url: incidentsUrl,
    operationId: 'listSafeguardIncidents',
    summary: 'List what safeguards refused',
    description: 'One row for each rule, subject and hour or day; `refused` counts.',
    tag,
    scope: 'account:read',
    query: Type.Object({ ...pageQuery, ...incidentFilters }),
    responses: { 200: IncidentPage },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listIncidents(deps.db, accountId, query), url(), presentIncident)),
  }),
  route({
    method: 'GET',
    url: `${incidentsUrl}:uuid/`,
    operationId: 'getSafeguardIncident',
    summary: 'Get what a safeguard refused',
    tag,
    scope: 'account:read',
    params: UuidParams,
    responses: { 200: Incident },
    handler: async ({ deps, accountId, params }) => {
      const row = await findIncident(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentIncident(row));
    },
  }),
  route({
    method: 'POST',
    url: `${incidentsUrl}:uuid/review/`,
    operationId: 'reviewSafeguardIncident',
    summary: 'Release or block a range that is held',
    tag,
    scope: 'account:write',
    params: UuidParams,
    body: Review,
    responses: { 200: Incident },
    example: { status: 'BLOCKED' },
    handler: async ({ deps, accountId, principal, params, body }) =>
      ok(
        presentIncident(
          await reviewRange(deps, accountId, params.uuid, {
            status: body.status,
            reviewedBy: principal.actor?.name ?? '',
          }),
        ),
      ),
  }),
];
