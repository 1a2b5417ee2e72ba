import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { pageQuery } from '../../../platform/db/page.ts';
import { presentPage, Timestamp, UuidParams } from '../../../platform/http/openapi/models.ts';
import { created, ok } from '../../../platform/http/route.ts';
import { listProcessesAnyAccount } from '../../../platform/process/living.ts';
import { refuseOthersThanOperator } from '../roles/rights.ts';
import { presentToken, TokenWithSecret } from '../tokens/schemas.ts';
import { changeTenant, createTenant, createTenantToken, findTenant, setStanding } from './change.ts';
import { listTenantsAnyAccount } from './queries.ts';
import {
  presentTenant,
  Tenant,
  TenantCreate,
  TenantPage,
  TenantPatch,
  TenantStatus,
  TenantTokenCreate,
} from './schemas.ts';

const tag = 'Tenants';
const url = '/v2/accounts/';
const one = `${url}:uuid/` as const;
const operatorOnly = "The operator's account only, with the scope `operator`.";
const usual = { tag, scope: 'operator' as const, errors: [403] };
const ofOne = { tag, scope: 'operator' as const, params: UuidParams, errors: [403, 409] };

export const tenantRoutes = [
  route({
    method: 'GET',
    url,
    operationId: 'listTenants',
    summary: 'List accounts',
    description: operatorOnly,
    ...usual,
    query: Type.Object({
      ...pageQuery,
      name: Type.Optional(Type.String({ maxLength: 200, description: 'The whole name.' })),
      q: Type.Optional(Type.String({ maxLength: 200, description: 'How the name begins, in any case.' })),
      status: Type.Optional(TenantStatus),
    }),
    responses: { 200: TenantPage },
    handler: async ({ deps, accountId, query, url }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      return ok(presentPage(await listTenantsAnyAccount(deps.db, query), url(), presentTenant));
    },
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createTenant',
    summary: 'Create an account',
    description: `${operatorOnly} The new account has neither users nor tokens; use its first token to create the others.`,
    ...usual,
    body: TenantCreate,
    responses: { 201: Tenant },
    example: { name: 'Harbour Lettings', default_country: 'GB', limits: { requests_per_minute: 6000 } },
    handler: async ({ deps, accountId, body }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      return created(presentTenant(await createTenant(deps.db, body)));
    },
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getTenant',
    summary: 'Get an account',
    description: operatorOnly,
    ...ofOne,
    errors: [403],
    responses: { 200: Tenant },
    tagged: {
      without: ['usage', 'modified'],
      row: (_accountId, { uuid = '' }) => ({ table: 'accounts', where: { uuid } }),
    },
    handler: async ({ deps, accountId, params }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      return ok(presentTenant(await findTenant(deps.db, params.uuid)));
    },
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'updateTenant',
    summary: 'Change an account and its limits',
    description: operatorOnly,
    ...ofOne,
    body: TenantPatch,
    responses: { 200: Tenant },
    example: { limits: { requests_per_minute: 600, storage_bytes: 10_737_418_240 } },
    handler: async ({ deps, accountId, params, body }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      return ok(presentTenant(await changeTenant(deps, params.uuid, body)));
    },
  }),
  route({
    method: 'POST',
    url: `${one}suspend/`,
    operationId: 'suspendTenant',
    summary: 'Suspend an account',
    description:
      `${operatorOnly} Its tokens and users get 403, it sends nothing, and inbound traffic is stored. Queued work stays queued ` +
      "and is sent when the account is resumed, unless it has expired. The operator's account cannot be suspended.",
    ...ofOne,
    responses: { 200: Tenant },
    handler: async ({ deps, accountId, params }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      return ok(presentTenant(await setStanding(deps, params.uuid, 'SUSPENDED')));
    },
  }),
  route({
    method: 'POST',
    url: `${one}resume/`,
    operationId: 'resumeTenant',
    summary: 'Resume a suspended account',
    description: operatorOnly,
    ...ofOne,
    responses: { 200: Tenant },
    handler: async ({ deps, accountId, params }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      return ok(presentTenant(await setStanding(deps, params.uuid, 'ACTIVE')));
    },
  }),
  route({
    method: 'POST',
    url: `${one}tokens/`,
    operationId: 'createTenantToken',
    summary: 'Create a token for an account; its secret is shown once',
    description: `${operatorOnly} For a new account, or for one that has lost all its tokens.`,
    ...ofOne,
    fresh: 'session',
    body: TenantTokenCreate,
    responses: { 201: TokenWithSecret },
    example: { name: 'First token' },
    handler: async ({ deps, accountId, params, body }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      const { row, token } = await createTenantToken(deps, params.uuid, body);
      return created({ ...presentToken({ ...row, created_by: null }), token });
    },
  }),
];

const ServerProcess = Type.Object(
  {
    host: Type.String({ description: 'The name of its machine.' }),
    pid: Type.Integer(),
    version: Type.String(),
    roles: Type.Array(Type.String()),
    started: Timestamp('When it began to serve.'),
  },
  { title: 'ServerProcess' },
);

export const processRoutes = [
  route({
    method: 'GET',
    url: '/v2/network-status/',
    operationId: 'getNetworkStatus',
    summary: 'List the processes that serve this installation',
    description: "The operator's account only, with the scope `operator`: every process that is alive, on every host.",
    tag: 'Network status',
    scope: 'operator',
    errors: [403],
    responses: { 200: Type.Object({ processes: Type.Array(ServerProcess) }, { title: 'NetworkStatus' }) },
    handler: async ({ deps, accountId }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      return ok({ processes: await listProcessesAnyAccount(deps.db) });
    },
  }),
];
