import { Type } from 'typebox';
import { route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { notFound } from '../../platform/errors.ts';
import { Phone, presentPage, UuidParams } from '../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../platform/http/route.ts';
import { aliasOf } from '../../platform/http/validation/index.ts';
import { changeConfig, createConfig, removeConfig } from './change.ts';
import { explain, explainDraft, RouteDraftInquiry, RouteExplanation, RouteInquiry } from './explain.ts';
import { findConfig, listConfigs } from './queries.ts';
import {
  Channel,
  presentConfig,
  RoutingConfig,
  RoutingConfigCreate,
  RoutingConfigPage,
  RoutingConfigPatch,
  withDefaults,
} from './schemas.ts';

const tag = 'Routing';
const url = '/v2/routing-configs/';
const one = `${url}:uuid/` as const;
const example = {
  name: 'Sales line',
  channel: 'VOICE',
  numbers: ['+44 20 7946 0100'],
  enabled: false,
  routes: [
    {
      name: 'Office hours',
      conditions: {
        time_zone: 'Europe/London',
        time_windows: [{ start: '09:00', end: '17:30' }],
        weekdays: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'],
      },
      destination: { type: 'AGENT', skill: 'sales', strategy: 'ROUND_ROBIN' },
    },
    { name: 'On call', destination: { type: 'NUMBER', numbers: ['+44 7700 900302'], ring_seconds: 20 } },
  ],
  fallback: { type: 'VOICEMAIL' },
};

export const routes = [
  route({
    method: 'GET',
    url,
    operationId: 'listRoutingConfigs',
    summary: 'List routing configs',
    tag,
    scope: 'routing:read',
    query: Type.Object({
      ...pageQuery,
      channel: Type.Optional(Channel),
      number: Type.Optional(Phone('Those that are enabled and name this number.')),
      numbers: aliasOf('number', Phone()),
    }),
    responses: { 200: RoutingConfigPage },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listConfigs(deps.db, accountId, query), url(), presentConfig)),
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createRoutingConfig',
    summary: 'Create a routing config: where calls or messages go',
    tag,
    scope: 'routing:write',
    body: RoutingConfigCreate,
    responses: { 201: RoutingConfig },
    example,
    handler: async ({ deps, accountId, body }) => created(presentConfig(await createConfig(deps, accountId, body))),
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getRoutingConfig',
    summary: 'Get a routing config',
    tag,
    scope: 'routing:read',
    params: UuidParams,
    responses: { 200: RoutingConfig },
    tagged: { without: ['modified'], row: 'routing_configs' },
    handler: async ({ deps, accountId, params }) => {
      const row = await findConfig(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentConfig(row));
    },
  }),
  route({
    method: 'PUT',
    url: one,
    operationId: 'updateRoutingConfig',
    summary: 'Update a routing config',
    description: 'Fields that are left out are set to their defaults.',
    tag,
    scope: 'routing:write',
    params: UuidParams,
    body: RoutingConfigCreate,
    responses: { 200: RoutingConfig },
    example,
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentConfig(await changeConfig(deps, accountId, params.uuid, withDefaults(body)))),
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'partialUpdateRoutingConfig',
    summary: 'Partially update a routing config',
    tag,
    scope: 'routing:write',
    params: UuidParams,
    body: RoutingConfigPatch,
    responses: { 200: RoutingConfig },
    example: { name: 'Sales, new', fallback: { type: 'HANGUP' } },
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentConfig(await changeConfig(deps, accountId, params.uuid, body))),
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteRoutingConfig',
    summary: 'Delete a routing config',
    tag,
    scope: 'routing:write',
    params: UuidParams,
    responses: { 204: null },
    handler: async ({ deps, accountId, params }) => {
      await removeConfig(deps, accountId, params.uuid);
      return noContent();
    },
  }),
  route({
    method: 'POST',
    url: `${url}explain/`,
    operationId: 'explainRoutingDraft',
    summary: 'Explain which route a call or message would take by a config that is not saved',
    description: "It has no effect: nothing is saved, nobody is called, nothing is sent, no agent's turn is used.",
    tag,
    scope: 'routing:read',
    body: RouteDraftInquiry,
    responses: { 200: RouteExplanation },
    example: {
      from: '+44 7700 900123',
      at: '2026-11-16T10:00:00Z',
      config: { ...example, fallback: { type: 'HANGUP' } },
    },
    handler: async ({ deps, accountId, body }) => ok(await explainDraft(deps, accountId, body)),
  }),
  route({
    method: 'POST',
    url: `${one}explain/`,
    operationId: 'explainRoutingConfig',
    summary: 'Explain which route a call or message would take',
    description:
      "With `config`, a draft is explained in place of the saved config. It has no effect: nobody is called, nothing is sent, no agent's turn " +
      'is used.',
    tag,
    scope: 'routing:read',
    params: UuidParams,
    body: RouteInquiry,
    responses: { 200: RouteExplanation },
    example: { number: '+44 20 7946 0100', from: '+44 7700 900123', at: '2026-11-16T10:00:00Z' },
    handler: async ({ deps, accountId, params, body }) => ok(await explain(deps, accountId, params.uuid, body)),
  }),
];
