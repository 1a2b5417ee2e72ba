import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { throttled } from '../../../platform/http/access/gate.ts';
import { writeSessionCookie } from '../../../platform/http/access/session-cookie.ts';
import { ok } from '../../../platform/http/route.ts';
import { clientKey } from '../../../platform/http/wire/client-address.ts';
import { askersFor } from '../factors/challenges.ts';
import { refuseForeignPages } from '../sessions/open.ts';
import { SsoFailure } from './admit.ts';
import { finishSignIn } from './callback.ts';
import { listOfferedAnyAccount } from './queries.ts';
import { consoleOf, SsoDiscovery, SsoProviders, SsoSignedOut, SsoStart, SsoStarted, serverOf } from './schemas.ts';
import { signOut } from './sign-out.ts';
import { startSignIn, writeVerifier } from './start.ts';

const tag = 'Single sign-on';
const url = '/v2/auth/sso/';

const finish = { method: 'GET', operationId: 'finishSso', summary: 'Come back from an identity provider' } as const;

/** Strangers may ask which domains have a provider, one after the other. */
const asksPerMinute = 60;

const uncached = { 'cache-control': 'no-store' };
const text = (description: string) => Type.Optional(Type.String({ maxLength: 8000, description }));

export const ssoRoutes = [
  route({
    method: 'POST',
    url: `${url}providers/`,
    operationId: 'findSsoProviders',
    summary: 'Find the identity provider of an e-mail address',
    tag,
    scope: 'public',
    audit: false,
    unkeyed: true,
    body: SsoDiscovery,
    responses: { 200: SsoProviders },
    errors: [429],
    example: { email: 'ana@example.com' },
    handler: async ({ deps, body, request }) => {
      const { allowed, resetSeconds } = askersFor(deps, 'providers').count(clientKey(request.ip), asksPerMinute);
      if (!allowed) throw throttled(resetSeconds);
      const domain = body.email.slice(body.email.lastIndexOf('@') + 1).toLowerCase();
      return { ...ok({ results: await listOfferedAnyAccount(deps.db, domain) }), headers: uncached };
    },
  }),
  route({
    method: 'POST',
    url: `${url}start/`,
    operationId: 'startSso',
    summary: 'Begin to sign in by an identity provider',
    description:
      'Send the browser to `authorization_url`. The response sets a cookie that the browser needs when it comes back, within ten ' +
      'minutes. When a browser sends this request, it needs the header `X-Requested-With: parley-console`.',
    tag,
    scope: 'public',
    audit: false,
    unkeyed: true,
    body: SsoStart,
    responses: { 200: SsoStarted },
    errors: [403, 404, 429, 502],
    example: { provider: '01931c9a-0000-7000-8000-000000000000', return_to: '/messages' },
    handler: async ({ deps, body, request }) => {
      refuseForeignPages(request);
      const server = serverOf(deps, request);
      const { url: authorization_url, verifier } = await startSignIn(deps, body, { server, request });
      const headers = { ...uncached, 'set-cookie': writeVerifier(request, server, verifier) };
      return { ...ok({ authorization_url }), headers };
    },
  }),
  route({
    ...finish,
    url: `${url}callback/`,
    description:
      'The redirect URI: the provider sends the browser here with a code, or with an error. Redirects to the console, which says what ' +
      'went wrong if something did (`sso_error`).',
    tag,
    scope: 'public',
    audit: 'itself',
    query: Type.Object({
      state: text('As the sign-in was begun with.'),
      code: text('What the tokens are asked for with.'),
      iss: text('The issuer (RFC 9207).'),
      error: text('Why there is no code.'),
      error_description: text('The same in words.'),
    }),
    responses: { 302: null },
    tagged: false,
    handler: async ({ deps, request }) => {
      const server = serverOf(deps, request);
      const cleared = writeVerifier(request, server, '');
      const go = (to: string, cookies: string[]) => ({
        status: 302,
        headers: { ...uncached, 'referrer-policy': 'no-referrer', location: to, 'set-cookie': cookies },
      });
      try {
        const { issued, returnTo } = await finishSignIn(deps, { operation: finish, request });
        const maxAgeSeconds = Math.floor((Date.parse(issued.row.expires!) - deps.clock.now().getTime()) / 1000);
        const { PUBLIC_URL: publicUrl } = deps.config;
        const session = writeSessionCookie(request, { publicUrl, secret: issued.secret, maxAgeSeconds });
        return go(consoleOf(server).slice(0, -1) + returnTo, [session, cleared]);
      } catch (error) {
        if (!(error instanceof SsoFailure)) throw error;
        return go(`${consoleOf(server)}?sso_error=${error.code}`, [cleared]);
      }
    },
  }),
  route({
    method: 'POST',
    url: `${url}sign-out/`,
    operationId: 'signOutOfSso',
    summary: 'Sign out, also of the identity provider',
    description:
      'Ends the session as `DELETE /v2/auth/session/` does, and answers where the browser signs out of the provider.',
    tag,
    scope: 'any',
    enrolment: true,
    unkeyed: true,
    asksOthers: true,
    responses: { 200: SsoSignedOut },
    errors: [403],
    handler: async ({ deps, principal, request }) => {
      const logout_url = await signOut(deps, principal, serverOf(deps, request));
      const cleared = { publicUrl: deps.config.PUBLIC_URL, secret: '', maxAgeSeconds: 0 };
      return { ...ok({ logout_url }), headers: { ...uncached, 'set-cookie': writeSessionCookie(request, cleared) } };
    },
  }),
];
