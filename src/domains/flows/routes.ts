import { route } from '../../deps.ts';
import { notFound } from '../../platform/errors.ts';
import { presentPage, UuidParams } from '../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../platform/http/route.ts';
import { withCountry } from '../../platform/phone.ts';
import { withSought } from '../directory/index.ts';
import { changeFlow, createFlow, deleteFlow } from './change.ts';
import { previewFlow } from './preview.ts';
import { findFlow, listFlows } from './queries.ts';
import {
  FlowCreate,
  FlowDetail,
  FlowList,
  FlowPreview,
  FlowQuery,
  FlowSync,
  FlowSyncStarted,
  FlowUpdate,
  presentDetail,
  presentFlow,
} from './schemas.ts';
import { startSync } from './sync.ts';

const tag = 'Flows';
const url = '/v2/chatapp/flows/';
const one = `${url}:uuid/` as const;

/** The smallest that the platform publishes: a screen with a question and a button. */
const definition = {
  version: '7.3',
  screens: [
    {
      id: 'VIEWING',
      title: 'Book a viewing',
      terminal: true,
      layout: {
        type: 'SingleColumnLayout',
        children: [
          { type: 'DatePicker', name: 'day', label: 'When would you like to come?', required: true },
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the platform's own notation
          { type: 'Footer', label: 'Send', 'on-click-action': { name: 'complete', payload: { day: '${form.day}' } } },
        ],
      },
    },
  ],
};

export const routes = [
  route({
    method: 'GET',
    url,
    operationId: 'listFlows',
    summary: 'List flows',
    tag,
    scope: 'chatapp:read',
    query: FlowQuery,
    responses: { 200: FlowList },
    handler: async ({ deps, accountId, principal, query, url }) => {
      const filters = await withSought(deps.db, principal, query);
      return ok(presentPage(await listFlows(deps.db, accountId, filters), url(), presentFlow));
    },
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createFlow',
    summary: 'Create a flow',
    description: 'Parley creates it on the platform a moment later; `flow_id` is its id there.',
    tag,
    scope: 'chatapp:write',
    body: FlowCreate,
    responses: { 201: FlowDetail },
    example: {
      chatapp_number: '+44 7700 900001',
      name: 'Book a viewing',
      category: 'APPOINTMENT_BOOKING',
      definition,
      status: 'PUBLISHED',
    },
    handler: async ({ deps, accountId, body }) => created(presentDetail(await createFlow(deps, accountId, body))),
  }),
  route({
    method: 'POST',
    url: `${url}sync/`,
    operationId: 'syncFlows',
    summary: 'Synchronise flows with the platform now',
    description:
      'Adds flows that the platform has and deprecates those that it no longer has. Parley also does this every hour.',
    tag,
    scope: 'chatapp:write',
    body: FlowSync,
    responses: { 202: FlowSyncStarted },
    example: { chatapp_number: '+44 7700 900001' },
    handler: async ({ deps, accountId, principal, body }) => ({
      status: 202,
      body: {
        chatapp_accounts: await startSync(
          deps,
          accountId,
          body.chatapp_number && withCountry(body.chatapp_number, principal.country),
        ),
      },
    }),
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getFlow',
    summary: 'Get a flow',
    tag,
    scope: 'chatapp:read',
    params: UuidParams,
    responses: { 200: FlowDetail },
    tagged: { without: ['status', 'status_description', 'flow_id', 'validation_errors', 'modified'], row: 'flows' },
    handler: async ({ deps, accountId, params }) => {
      const row = await findFlow(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentDetail(row));
    },
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'updateFlow',
    summary: 'Rename, edit, publish or deprecate a flow',
    description: 'The platform is updated a moment later; `status` changes when it has accepted the change.',
    tag,
    scope: 'chatapp:write',
    params: UuidParams,
    body: FlowUpdate,
    responses: { 200: FlowDetail },
    example: { category: 'CUSTOMER_SUPPORT', status: 'PUBLISHED' },
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentDetail(await changeFlow(deps, accountId, params.uuid, body))),
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteFlow',
    summary: 'Delete a draft flow',
    description: 'Deletes it on the platform too, at once. A published flow can be deprecated instead.',
    tag,
    scope: 'chatapp:write',
    params: UuidParams,
    responses: { 204: null },
    errors: [409, 503],
    asksOthers: true,
    handler: async ({ deps, accountId, params }) => {
      await deleteFlow(deps, accountId, params.uuid);
      return noContent();
    },
  }),
  route({
    method: 'GET',
    url: `${one}preview/`,
    operationId: 'previewFlow',
    summary: 'Get a link that shows a flow',
    tag,
    scope: 'chatapp:read',
    params: UuidParams,
    responses: { 200: FlowPreview },
    errors: [409, 503],
    handler: async ({ deps, accountId, params, url }) => ok(await previewFlow(deps, accountId, params.uuid, url())),
  }),
];
