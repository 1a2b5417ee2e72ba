import { Type } from 'typebox';
import type { Deps } from '../../deps.ts';
import { route } from '../../deps.ts';
import { notFound } from '../../platform/errors.ts';
import { presentPage, UuidParams } from '../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../platform/http/route.ts';
import { withSought } from '../directory/index.ts';
import { CampaignAudience, CampaignAudienceQuery, readAudience } from './audience/audience.ts';
import { CampaignPreview, CampaignPreviewOf, previewCampaign } from './audience/preview.ts';
import { CampaignTest, CampaignTestResults, testCampaign } from './audience/test-send.ts';
import { createCampaign, deleteCampaign, updateCampaign } from './change.ts';
import { launchCampaign, pauseCampaign, steerCampaign } from './launches/launch.ts';
import { type LogRow, readLogs } from './logs/queries.ts';
import { logRoutes } from './logs/routes.ts';
import { CampaignLog, presentLog } from './logs/schemas.ts';
import { findCampaign, listCampaigns } from './queries.ts';
import { reviewCampaign } from './review/review.ts';
import { CampaignReview, CampaignReviewOf } from './review/schemas.ts';
import {
  Campaign,
  CampaignCreate,
  CampaignPage,
  CampaignPatch,
  CampaignQuery,
  presentCampaign,
  withDefaults,
} from './schemas.ts';

const tag = 'Campaigns';
const url = '/v2/campaigns/';
const one = `${url}:uuid/` as const;

const example = {
  name: 'Open house in May',
  channel: 'CHATAPP',
  sender: '+44 7700 900001',
  template: {
    template_name: 'open_house',
    components: [{ type: 'body', parameters: [{ type: 'text', text: '{{ first_name }}' }] }],
  },
  fallbacks: { first_name: 'there' },
  lists: ['0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'],
};

const shown = async ({ db }: Deps, log: LogRow) => presentLog((await readLogs(db, log.account_id, [log]))[0]!);

const steering = {
  resume: 'Resume a launch',
  cancel: 'Cancel a launch and its queued messages',
} as const;

export const routes = [
  route({
    method: 'GET',
    url,
    operationId: 'listCampaigns',
    summary: 'List campaigns',
    tag,
    scope: 'campaigns:read',
    query: CampaignQuery,
    responses: { 200: CampaignPage },
    handler: async ({ deps, accountId, principal, query, url }) => {
      const filters = await withSought(deps.db, principal, query);
      return ok(presentPage(await listCampaigns(deps.db, accountId, filters), url(), presentCampaign));
    },
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createCampaign',
    summary: 'Create a campaign',
    description: 'It sends nothing until it is launched.',
    tag,
    scope: 'campaigns:write',
    body: CampaignCreate,
    responses: { 201: Campaign },
    example,
    handler: async ({ deps, accountId, body }) => created(presentCampaign(await createCampaign(deps, accountId, body))),
  }),
  route({
    method: 'GET',
    url: `${url}audience/`,
    operationId: 'getCampaignAudience',
    summary: 'Count the audience of a campaign',
    description: 'The count as of now. The default channel is the chat app. A launch counts again when it starts.',
    tag,
    scope: 'campaigns:read',
    query: CampaignAudienceQuery,
    responses: { 200: CampaignAudience },
    handler: async ({ deps, accountId, query }) => ok(await readAudience(deps.db, accountId, query)),
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getCampaign',
    summary: 'Get a campaign',
    tag,
    scope: 'campaigns:read',
    params: UuidParams,
    responses: { 200: Campaign },
    tagged: { without: ['status', 'campaign_log', 'modified'], row: 'campaigns' },
    handler: async ({ deps, accountId, params }) => {
      const row = await findCampaign(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentCampaign(row));
    },
  }),
  route({
    method: 'PUT',
    url: one,
    operationId: 'replaceCampaign',
    summary: 'Replace a campaign',
    description: 'A running launch continues unchanged; the change affects the next one.',
    tag,
    scope: 'campaigns:write',
    params: UuidParams,
    body: CampaignCreate,
    responses: { 200: Campaign },
    example: { ...example, rate_per_second: 20 },
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentCampaign(await updateCampaign(deps, accountId, params.uuid, withDefaults(body)))),
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'updateCampaign',
    summary: 'Change a campaign',
    description: 'A running launch continues unchanged; the change affects the next one.',
    tag,
    scope: 'campaigns:write',
    params: UuidParams,
    body: CampaignPatch,
    responses: { 200: Campaign },
    example: { quiet_hours: { start: '21:00', end: '08:00' } },
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentCampaign(await updateCampaign(deps, accountId, params.uuid, body))),
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteCampaign',
    summary: 'Delete a campaign',
    description: 'Its launches stay. Cancel a running launch first.',
    tag,
    scope: 'campaigns:write',
    params: UuidParams,
    responses: { 204: null },
    errors: [409],
    handler: async ({ deps, accountId, params }) => {
      await deleteCampaign(deps, accountId, params.uuid);
      return noContent();
    },
  }),
  route({
    method: 'POST',
    url: `${one}launch/`,
    operationId: 'launchCampaign',
    summary: 'Launch a campaign',
    description: 'It goes to everybody who is on the lists when it starts. A campaign has one launch at a time.',
    tag,
    scope: 'campaigns:write',
    params: UuidParams,
    body: Type.Object(
      {
        send_at: Type.Optional(
          Type.String({ format: 'date-time', description: 'Not before this moment; else when the campaign says.' }),
        ),
      },
      { title: 'CampaignLaunch' },
    ),
    responses: { 201: CampaignLog },
    errors: [409],
    example: { send_at: '2027-05-03T09:00:00Z' },
    handler: async ({ deps, accountId, params, body }) =>
      created(await shown(deps, await launchCampaign(deps, accountId, params.uuid, body))),
  }),
  route({
    method: 'POST',
    url: `${one}pause/`,
    operationId: 'pauseCampaign',
    summary: 'Pause a launch',
    description: 'The launch says who paused it and why.',
    tag,
    scope: 'campaigns:write',
    params: UuidParams,
    body: Type.Object(
      { reason: Type.Optional(Type.String({ maxLength: 200, description: 'Why; shown with the launch.' })) },
      { title: 'CampaignPause' },
    ),
    responses: { 200: CampaignLog },
    errors: [409],
    example: { reason: 'The price is wrong.' },
    handler: async ({ deps, accountId, principal, params, body }) =>
      ok(
        await shown(
          deps,
          await pauseCampaign(deps, accountId, params.uuid, { by: principal.actor, reason: body.reason }),
        ),
      ),
  }),
  ...(['resume', 'cancel'] as const).map((verb) =>
    route({
      method: 'POST',
      url: `${one}${verb}/`,
      operationId: `${verb}Campaign`,
      summary: steering[verb],
      tag,
      scope: 'campaigns:write',
      params: UuidParams,
      responses: { 200: CampaignLog },
      errors: [409],
      handler: async ({ deps, accountId, params }) =>
        ok(await shown(deps, await steerCampaign(deps, accountId, params.uuid, verb))),
    }),
  ),
  route({
    method: 'POST',
    url: `${one}preview/`,
    operationId: 'previewCampaign',
    summary: 'Preview what a contact would get',
    tag,
    scope: 'campaigns:read',
    params: UuidParams,
    body: CampaignPreviewOf,
    responses: { 200: CampaignPreview },
    example: { phone_number: '+44 7700 900123' },
    handler: async ({ deps, accountId, params, body }) => ok(await previewCampaign(deps, accountId, params.uuid, body)),
  }),
  route({
    method: 'POST',
    url: `${one}review/`,
    operationId: 'reviewCampaign',
    summary: 'Review what a launch would do',
    description:
      'Counts who would get the message and who is left out, missing values, SMS parts and cost, quiet hours and the end, and who already ' +
      'received it. Nothing is sent.',
    tag,
    scope: 'campaigns:read',
    params: UuidParams,
    body: CampaignReviewOf,
    responses: { 200: CampaignReview },
    example: { send_at: '2027-05-03T09:00:00Z' },
    handler: async ({ deps, accountId, params, body }) => ok(await reviewCampaign(deps, accountId, params.uuid, body)),
  }),
  route({
    method: 'POST',
    url: `${one}test/`,
    operationId: 'testCampaign',
    summary: 'Send a test of a campaign to a few people',
    description: 'No launch counts it. People who opted out do not get it.',
    tag,
    scope: 'campaigns:write',
    params: UuidParams,
    body: CampaignTest,
    responses: { 201: CampaignTestResults },
    example: { to: ['+44 7700 900123'] },
    handler: async ({ deps, accountId, params, body }) =>
      created(await testCampaign(deps, accountId, params.uuid, body)),
  }),
  ...logRoutes,
];
