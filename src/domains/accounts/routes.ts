import { Type } from 'typebox';
import { type Deps, route } from '../../deps.ts';
import { readContentProgress } from '../../platform/content/passes.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { ApiError } from '../../platform/errors.ts';
import { presentPage, UuidParams } from '../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../platform/http/route.ts';
import { auditRoutes } from './audit/routes.ts';
import { passkeyRoutes } from './factors/passkey-routes.ts';
import { factorRoutes } from './factors/routes.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { type AccountRow, findAccount } from './queries.ts';
import { roleRoutes } from './roles/routes.ts';
import { Account, AccountPatch, presentAccount } from './schemas.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { signIn } from './sessions/sign-in.ts';
import { changeAccount } from './settings.ts';
import { identityProviderRoutes } from './sso/routes.ts';
import { ssoRoutes } from './sso/sign-in-routes.ts';
import { readStorage } from './storage.ts';
import { processRoutes, tenantRoutes } from './tenants/routes.ts';
import { createToken, revokeToken } from './tokens/change.ts';
import { listTokens } from './tokens/queries.ts';
import {
  Credentials,
  IssuedToken,
  presentToken,
  TokenCreate,
  TokenKind,
  TokenPage,
  TokenWithSecret,
} from './tokens/schemas.ts';
import { userRoutes } from './users/routes.ts';

const tag = 'Account';

const showAccount = async (deps: Deps, row: AccountRow) =>
  presentAccount(row, await readStorage(deps, row.uuid), await readContentProgress(deps.db, row.uuid));

const enter = { method: 'POST', operationId: 'getAuthToken', summary: 'Get an authentication token' } as const;

export const routes = [
  route({
    ...enter,
    url: '/v2/auth/token/',
    tag,
    scope: 'public',
    body: Credentials,
    responses: { 200: IssuedToken },
    errors: [403, 429],
    audit: 'itself',
    example: { username: 'admin', password: 'the password printed at the first start' },
    handler: async ({ deps, body, request }) => {
      const { row, secret } = await signIn(deps, body, 'API', { operation: enter, request });
      return ok({ token: secret, expires: row.expires });
    },
  }),
  route({
    method: 'GET',
    url: '/v2/auth/tokens/',
    operationId: 'listTokens',
    summary: 'List tokens',
    tag,
    scope: 'tokens:read',
    query: Type.Object({ ...pageQuery, kind: Type.Optional(TokenKind) }),
    responses: { 200: TokenPage },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listTokens(deps.db, accountId, query), url(), presentToken)),
  }),
  route({
    method: 'POST',
    url: '/v2/auth/tokens/',
    operationId: 'createToken',
    summary: 'Create a token; its secret is shown once',
    tag,
    scope: 'tokens:write',
    fresh: 'session',
    body: TokenCreate,
    responses: { 201: TokenWithSecret },
    example: { name: 'CRM', scopes: ['chatapp:read', 'chatapp:write'] },
    handler: async ({ deps, principal, body }) => {
      const { row, token } = await createToken(deps.db, principal, body);
      return created({ ...presentToken(row), token });
    },
  }),
  route({
    method: 'DELETE',
    url: '/v2/auth/tokens/:uuid/',
    operationId: 'deleteToken',
    summary: 'Revoke a token',
    description:
      'Tokens and sessions that were created with it end as well. To revoke a token you need all of its scopes; otherwise 403.',
    tag,
    scope: 'tokens:write',
    params: UuidParams,
    responses: { 204: null },
    errors: [403],
    handler: async ({ deps, principal, params }) => {
      await revokeToken(deps, principal, params.uuid);
      return noContent();
    },
  }),
  route({
    method: 'GET',
    url: '/v2/account/',
    operationId: 'getAccount',
    summary: 'Get the account',
    tag,
    scope: 'account:read',
    responses: { 200: Account },
    tagged: {
      without: ['usage', 'modified', 'content_encryption'],
      row: (accountId) => ({ table: 'accounts', where: { uuid: accountId } }),
    },
    handler: async ({ deps, accountId }) => ok(await showAccount(deps, await findAccount(deps.db, accountId))),
  }),
  route({
    method: 'PATCH',
    url: '/v2/account/',
    operationId: 'updateAccount',
    summary: 'Update the account',
    tag,
    scope: 'account:write',
    body: AccountPatch,
    responses: { 200: Account },
    errors: [409],
    example: { time_zone: 'Europe/London', quiet_hours: { start: '21:00', end: '08:00' } },
    handler: async ({ deps, accountId, principal, body }) => {
      if (body.limits && !principal.scopes.includes('operator')) throw new ApiError('permission_denied');
      const row = await changeAccount(deps, accountId, body);
      return ok(await showAccount(deps, row));
    },
  }),
  ...sessionRoutes,
  ...ssoRoutes,
  ...identityProviderRoutes,
  ...factorRoutes,
  ...passkeyRoutes,
  ...profileRoutes,
  ...userRoutes,
  ...invitationRoutes,
  ...roleRoutes,
  ...auditRoutes,
  ...tenantRoutes,
  ...processRoutes,
];
