import { Type } from 'typebox';
import { route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { notFound } from '../../platform/errors.ts';
import { presentPage, UuidParams } from '../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../platform/http/route.ts';
import { aliasOf } from '../../platform/http/validation/index.ts';
import { isAvailable } from './assign.ts';
import { changeAgent, createAgent, removeAgent } from './change.ts';
import { type AgentRow, findAgent, listAgents } from './queries.ts';
import {
  AgentConfig,
  AgentConfigCreate,
  AgentConfigPage,
  AgentConfigPatch,
  fieldsOf,
  Skill,
  withDefaults,
} from './schemas.ts';

const tag = 'Agents';
const url = '/v2/agent-configs/';
const one = `${url}:uuid/` as const;
const office = [{ start: '09:00', end: '17:30' }];
const example = {
  name: 'Ana',
  numbers: ['+44 7700 900301', 'sip:ana@example.com'],
  time_zone: 'Europe/London',
  working_hours: { monday: office, tuesday: office, wednesday: office, thursday: office, friday: office },
  holidays: ['2026-12-25'],
  skills: ['sales', 'spanish'],
};

export const routes = [
  route({
    method: 'GET',
    url,
    operationId: 'listAgentConfigs',
    summary: 'List agents',
    tag,
    scope: 'agent:read',
    query: Type.Object({ ...pageQuery, skill: Type.Optional(Skill), skills: aliasOf('skill', Skill) }),
    responses: { 200: AgentConfigPage },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listAgents(deps.db, accountId, query), url(), presentAgent(deps.clock.now()))),
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createAgentConfig',
    summary: 'Create an agent: a person who takes calls and chats',
    tag,
    scope: 'agent:write',
    body: AgentConfigCreate,
    responses: { 201: AgentConfig },
    example,
    handler: async ({ deps, accountId, body }) =>
      created(presentAgent(deps.clock.now())(await createAgent(deps, accountId, body))),
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getAgentConfig',
    summary: 'Get an agent',
    tag,
    scope: 'agent:read',
    params: UuidParams,
    responses: { 200: AgentConfig },
    tagged: { without: ['available', 'last_assigned', 'modified'], row: 'agents' },
    handler: async ({ deps, accountId, params }) => {
      const row = await findAgent(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentAgent(deps.clock.now())(row));
    },
  }),
  route({
    method: 'PUT',
    url: one,
    operationId: 'updateAgentConfig',
    summary: 'Update an agent',
    description: 'Fields that are left out are set to their defaults.',
    tag,
    scope: 'agent:write',
    params: UuidParams,
    body: AgentConfigCreate,
    responses: { 200: AgentConfig },
    example,
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentAgent(deps.clock.now())(await changeAgent(deps, accountId, params.uuid, withDefaults(body)))),
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'partialUpdateAgentConfig',
    summary: 'Partially update an agent',
    tag,
    scope: 'agent:write',
    params: UuidParams,
    body: AgentConfigPatch,
    responses: { 200: AgentConfig },
    example: { away: true, away_until: '2026-12-01T09:00:00Z' },
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentAgent(deps.clock.now())(await changeAgent(deps, accountId, params.uuid, body))),
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteAgentConfig',
    summary: 'Delete an agent',
    description: 'Agents that have it as their fallback lose the fallback; routes to it are skipped.',
    tag,
    scope: 'agent:write',
    params: UuidParams,
    responses: { 204: null },
    handler: async ({ deps, accountId, params }) => {
      await removeAgent(deps, accountId, params.uuid);
      return noContent();
    },
  }),
];

/** An agent as the API shows it at a moment. */
const presentAgent = (now: Date) => (row: AgentRow) => ({
  uuid: row.uuid,
  ...fieldsOf(row),
  available: isAvailable(row, now),
  last_assigned: row.last_assigned,
  created: row.created,
  modified: row.modified,
});
