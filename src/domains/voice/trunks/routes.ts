import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { pageQuery } from '../../../platform/db/page.ts';
import { notFound } from '../../../platform/errors.ts';
import { withWarnings } from '../../../platform/http/header-values.ts';
import { presentPage, UuidParams } from '../../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../../platform/http/route.ts';
import { changeTrunk, createTrunk, deleteTrunk } from './change.ts';
import { findTrunk, listTrunks } from './queries.ts';
import { presentTrunk, SipTrunkCreate, SipTrunkModel, SipTrunkPage, SipTrunkUpdate } from './schemas.ts';

const tag = 'Voice';
const url = '/v2/sip-trunks/';
const one = `${url}:uuid/` as const;

export const trunkRoutes = [
  route({
    method: 'GET',
    url,
    operationId: 'listSipTrunks',
    summary: 'List SIP trunks',
    tag,
    scope: 'voice:read',
    query: Type.Object(pageQuery),
    responses: { 200: SipTrunkPage },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listTrunks(deps.db, accountId, query), url(), presentTrunk)),
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createSipTrunk',
    summary: 'Connect a carrier or a PBX over SIP',
    description:
      'The server listens for SIP while there is an enabled trunk. An account that has one makes its calls over it and not in the sandbox.',
    tag,
    scope: 'voice:write',
    body: SipTrunkCreate,
    responses: { 201: SipTrunkModel },
    example: {
      host: 'sip.example.com',
      username: 'parley',
      password: 'a long secret',
      allowed_addresses: ['192.0.2.0/24'],
    },
    handler: async ({ deps, accountId, body }) => {
      const { row, warnings } = await createTrunk(deps, accountId, body);
      return withWarnings(created(presentTrunk(row)), warnings);
    },
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getSipTrunk',
    summary: 'Get a trunk',
    tag,
    scope: 'voice:read',
    params: UuidParams,
    responses: { 200: SipTrunkModel },
    tagged: { row: 'sip_trunks' },
    handler: async ({ deps, accountId, params }) => {
      const row = await findTrunk(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentTrunk(row));
    },
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'updateSipTrunk',
    summary: 'Change a trunk',
    description: 'Calls in progress continue.',
    tag,
    scope: 'voice:write',
    params: UuidParams,
    body: SipTrunkUpdate,
    responses: { 200: SipTrunkModel },
    example: { weight: 2, codecs: ['PCMA', 'PCMU'] },
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentTrunk(await changeTrunk(deps, accountId, params.uuid, body))),
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteSipTrunk',
    summary: 'Delete a trunk',
    description: 'When the last trunk of all accounts is deleted, the server stops listening for SIP.',
    tag,
    scope: 'voice:write',
    params: UuidParams,
    responses: { 204: null },
    handler: async ({ deps, accountId, params }) => {
      await deleteTrunk(deps, accountId, params.uuid);
      return noContent();
    },
  }),
];
