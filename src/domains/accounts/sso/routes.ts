import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Deps, route } from '../../../deps.ts';
import { pageQuery } from '../../../platform/db/page.ts';
import { notFound } from '../../../platform/errors.ts';
import { presentPage, UuidParams } from '../../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../../platform/http/route.ts';
import { changeProvider, createProvider, deleteProvider, refuseOthersThanOwners } from './change.ts';
import { testProvider } from './connect.ts';
import { verifyDomains } from './domains.ts';
import { findProvider, listDomains, listProviders, type ProviderRow } from './queries.ts';
import {
  IdentityProvider,
  IdentityProviderCreate,
  IdentityProviderPage,
  IdentityProviderPatch,
  IdentityProviderTest,
  presentProvider,
  serverOf,
} from './schemas.ts';

const tag = 'Single sign-on';
const url = '/v2/identity-providers/';
const one = `${url}:uuid/` as const;

const present = async (deps: Deps, row: ProviderRow, request: FastifyRequest) =>
  presentProvider(row, await listDomains(deps.db, row.account_id, [row.uuid]), serverOf(deps, request));

async function find({ db }: Deps, accountId: string, uuid: string): Promise<ProviderRow> {
  const row = await findProvider(db, accountId, uuid);
  if (!row) throw notFound();
  return row;
}

const owners = 'Only owners can do this; in the account of the operator, only operators.';

export const identityProviderRoutes = [
  route({
    method: 'GET',
    url,
    operationId: 'listIdentityProviders',
    summary: 'List identity providers',
    tag,
    scope: 'account:read',
    query: Type.Object(pageQuery),
    responses: { 200: IdentityProviderPage },
    handler: async ({ deps, accountId, query, url, request }) => {
      const page = await listProviders(deps.db, accountId, query);
      const uuids = page.rows.map(({ uuid }) => uuid);
      const domains = await listDomains(deps.db, accountId, uuids);
      const domainsOf = (row: ProviderRow) => domains.filter(({ provider_uuid }) => provider_uuid === row.uuid);
      return ok(presentPage(page, url(), (row) => presentProvider(row, domainsOf(row), serverOf(deps, request))));
    },
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createIdentityProvider',
    summary: 'Let users sign in by an OpenID Connect provider',
    description: `Register \`redirect_uri\` of the response with the provider. ${owners}`,
    tag,
    scope: 'account:write',
    fresh: 'session',
    body: IdentityProviderCreate,
    responses: { 201: IdentityProvider },
    errors: [403],
    example: {
      name: 'Example Corp',
      issuer: 'https://login.example.com/realms/corp',
      client_id: 'parley',
      client_secret: 'the secret of the client',
      group_roles: [{ group: 'parley-admins', role: 'admin' }],
      default_role: 'agent',
    },
    handler: async ({ deps, principal, body, request }) =>
      created(await present(deps, await createProvider(deps, principal, body), request)),
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getIdentityProvider',
    summary: 'Get an identity provider',
    tag,
    scope: 'account:read',
    params: UuidParams,
    responses: { 200: IdentityProvider },
    tagged: {
      without: [
        'last_error',
        'last_error_at',
        'last_sign_in',
        'redirect_uri',
        'post_logout_redirect_uri',
        'sign_in_url',
      ],
      row: 'identity_providers',
    },
    handler: async ({ deps, accountId, params, request }) =>
      ok(await present(deps, await find(deps, accountId, params.uuid), request)),
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'updateIdentityProvider',
    summary: 'Change an identity provider',
    description: `Another issuer, or a provider that is disabled, ends the sessions that were opened by it. ${owners}`,
    tag,
    scope: 'account:write',
    fresh: 'session',
    params: UuidParams,
    body: IdentityProviderPatch,
    responses: { 200: IdentityProvider },
    errors: [403, 409],
    example: { default_role: 'analyst' },
    handler: async ({ deps, principal, params, body, request }) =>
      ok(await present(deps, await changeProvider(deps, principal, params.uuid, body), request)),
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteIdentityProvider',
    summary: 'Delete an identity provider',
    description: `Its users stay, and the sessions that were opened by it end. The last one stays while the account requires single sign-on: 409. ${owners}`,
    tag,
    scope: 'account:write',
    fresh: 'session',
    params: UuidParams,
    responses: { 204: null },
    errors: [403, 409],
    handler: async ({ deps, principal, params }) => {
      await deleteProvider(deps, principal, params.uuid);
      return noContent();
    },
  }),
  route({
    method: 'POST',
    url: `${one}test/`,
    operationId: 'testIdentityProvider',
    summary: 'Test the connection to an identity provider',
    description: 'Asks for its discovery document, and whether it knows the client. Nobody is signed in.',
    tag,
    scope: 'account:write',
    audit: false,
    asksOthers: true,
    params: UuidParams,
    responses: { 200: IdentityProviderTest },
    errors: [403],
    handler: async ({ deps, principal, accountId, params, request }) => {
      await refuseOthersThanOwners(deps.db, principal);
      return ok(await testProvider(deps, await find(deps, accountId, params.uuid), serverOf(deps, request)));
    },
  }),
  route({
    method: 'POST',
    url: `${one}verify-domains/`,
    operationId: 'verifyIdentityProviderDomains',
    summary: 'Verify the domains of an identity provider',
    description: 'Looks for the TXT record `domain_record` at `_parley.` and each domain. 400 names those without.',
    tag,
    scope: 'account:write',
    asksOthers: true,
    params: UuidParams,
    responses: { 200: IdentityProvider },
    errors: [403],
    handler: async ({ deps, principal, accountId, params, request }) => {
      await refuseOthersThanOwners(deps.db, principal);
      const row = await find(deps, accountId, params.uuid);
      await verifyDomains(deps, row);
      return ok(await present(deps, row, request));
    },
  }),
];
