import { route } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { ApiError } from '../../../platform/errors.ts';
import { writeSessionCookie } from '../../../platform/http/access/session-cookie.ts';
import { noContent, ok } from '../../../platform/http/route.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import { deleteSession, findSession } from '../tokens/queries.ts';
import { confirmSession } from './confirm.ts';
import { openSession } from './open.ts';
import { presentSession, Session, SessionConfirm, SessionCreate } from './schemas.ts';

const tag = 'Account';
const url = '/v2/auth/session/';

const open = { method: 'POST', operationId: 'createSession', summary: 'Sign in with a browser' } as const;

const confirm = { method: 'POST', operationId: 'confirmSession', summary: 'Confirm that it is you' } as const;

/** It may have been revoked a moment ago, by way of another process. */
async function describe(db: Db, accountId: string, uuid: string) {
  const row = await findSession(db, accountId, uuid);
  if (!row) throw new ApiError('authentication_failed', { headers: { 'www-authenticate': 'Token' } });
  return presentSession(row);
}

export const sessionRoutes = [
  route({
    ...open,
    url,
    description:
      'Sets the cookie `parley_session`, which replaces a token in every operation. Requests that change something with the ' +
      'cookie, and this request when a browser sends it, need the header `X-Requested-With: parley-console`.',
    tag,
    scope: 'public',
    body: SessionCreate,
    responses: { 200: Session },
    errors: [403, 429],
    audit: 'itself',
    example: { username: 'admin', password: 'the password printed at the first start' },
    handler: async ({ deps, body, request }) => {
      const { row, secret } = await openSession(deps, body, { operation: open, request });
      const maxAgeSeconds = Math.floor((Date.parse(row.expires!) - deps.clock.now().getTime()) / 1000);
      const cookie = writeSessionCookie(request, { publicUrl: deps.config.PUBLIC_URL, secret, maxAgeSeconds });
      const session = await describe(deps.db, row.account_id, row.uuid);
      return { ...ok(session), headers: { 'set-cookie': cookie, 'cache-control': 'no-store' } };
    },
  }),
  route({
    method: 'GET',
    url,
    operationId: 'getSession',
    summary: 'Get who is signed in',
    description: 'With a token: the account it belongs to, and its scopes.',
    tag,
    scope: 'any',
    enrolment: true,
    responses: { 200: Session },
    // It begins and ends, and is never edited.
    tagged: false,
    bound: {},
    handler: async ({ deps, accountId, principal }) => ({
      ...ok(await describe(deps.db, accountId, principal.tokenId)),
      headers: { 'cache-control': 'no-store' },
    }),
  }),
  route({
    ...confirm,
    url: `${url}confirm/`,
    description:
      'For ten minutes after signing in or this request, sessions may do what is sensitive: create tokens, change users, second factors ' +
      'and secrets. Without it these operations answer 403 `reauthentication_required`. Wrong guesses count as those of signing in do.',
    tag,
    scope: 'any',
    enrolment: true,
    unkeyed: true,
    body: SessionConfirm,
    responses: { 204: null },
    errors: [403, 429],
    example: { password: 'the password printed at the first start' },
    handler: async ({ deps, principal, body, request }) => {
      await confirmSession(deps, principal, body, { operation: confirm, request });
      return noContent();
    },
  }),
  route({
    method: 'DELETE',
    url,
    operationId: 'deleteSession',
    summary: 'Sign out',
    description: 'Ends the session and clears its cookie. It does not revoke an API token; revoke that by its uuid.',
    tag,
    scope: 'any',
    enrolment: true,
    responses: { 204: null },
    errors: [403],
    bound: {},
    handler: async ({ deps, accountId, principal, request }) => {
      await deleteSession(deps.db, accountId, principal.tokenId);
      deps.caches.forget(tokenCache);
      const cleared = { publicUrl: deps.config.PUBLIC_URL, secret: '', maxAgeSeconds: 0 };
      return { ...noContent(), headers: { 'set-cookie': writeSessionCookie(request, cleared) } };
    },
  }),
];
