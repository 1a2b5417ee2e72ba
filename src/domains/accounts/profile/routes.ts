import { route } from '../../../deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { presentWhole, UuidParams } from '../../../platform/http/openapi/models.ts';
import { noContent, ok } from '../../../platform/http/route.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import { changeOwnPassword, findCaller } from './change-password.ts';
import { deleteOtherSessionsOf, deleteSessionOf, listSessionsOf, updateProfile } from './queries.ts';
import { OwnSessionPage, PasswordChange, Profile, ProfilePatch, presentOwnSession, presentProfile } from './schemas.ts';

const tag = 'Account';
const url = '/v2/users/me/';
const sessions = `${url}sessions/` as const;

export const profileRoutes = [
  route({
    method: 'GET',
    url,
    operationId: 'getProfile',
    summary: 'Get your own profile',
    description: 'For users who signed in; a token of a program gets 403 `not_a_user`.',
    tag,
    scope: 'any',
    responses: { 200: Profile },
    errors: [403],
    tagged: {
      without: ['last_sign_in'],
      row: (account_id, _params, { actor, tokenId }) => ({
        table: 'users',
        where: { account_id, uuid: actor?.type === 'USER' ? actor.uuid : tokenId },
      }),
    },
    handler: async ({ deps, principal }) => ok(presentProfile(await findCaller(deps, principal))),
  }),
  route({
    method: 'PATCH',
    url,
    operationId: 'updateProfile',
    summary: 'Change your own profile',
    tag,
    scope: 'any',
    body: ProfilePatch,
    responses: { 200: Profile },
    errors: [403],
    example: { full_name: 'Ana Silva', time_zone: 'Europe/Lisbon' },
    handler: async ({ deps, principal, body }) => {
      const { account_id, uuid } = await findCaller(deps, principal);
      return ok(presentProfile(await updateProfile(deps.db, account_id, uuid, body)));
    },
  }),
  route({
    method: 'POST',
    url: `${url}password/`,
    operationId: 'changePassword',
    summary: 'Change your own password',
    description:
      'Needs the current password. Ends all your other sessions, the tokens that programs got for your password, and the tokens ' +
      'that you created. Wrong passwords count as failed sign-ins.',
    tag,
    scope: 'any',
    fresh: 'session',
    body: PasswordChange,
    responses: { 204: null },
    errors: [403, 429],
    example: { current_password: 'the password printed at the first start', new_password: 'correct horse battery' },
    handler: async ({ deps, principal, body, request }) => {
      await changeOwnPassword(deps, principal, body, request);
      return noContent();
    },
  }),
  route({
    method: 'GET',
    url: sessions,
    operationId: 'listOwnSessions',
    summary: 'List where you are signed in',
    description: 'Browsers (`SESSION`), and tokens that programs got for your password (`API`), the latest first.',
    tag,
    scope: 'any',
    responses: { 200: OwnSessionPage },
    errors: [403],
    handler: async ({ deps, principal }) => {
      const { account_id, uuid } = await findCaller(deps, principal);
      const rows = await listSessionsOf(deps.db, account_id, uuid, timestamp(deps.clock.now()));
      return ok(presentWhole(rows.map((row) => presentOwnSession(row, principal.tokenId))));
    },
  }),
  route({
    method: 'DELETE',
    url: sessions,
    operationId: 'deleteOwnSessions',
    summary: 'Sign out everywhere else',
    description: 'Ends all your sessions and the tokens that programs got for your password, except the one that asks.',
    tag,
    scope: 'any',
    responses: { 204: null },
    errors: [403],
    handler: async ({ deps, principal }) => {
      const { account_id, uuid } = await findCaller(deps, principal);
      await deleteOtherSessionsOf(deps.db, account_id, uuid, principal.tokenId);
      deps.caches.forget(tokenCache);
      return noContent();
    },
  }),
  route({
    method: 'DELETE',
    url: `${sessions}:uuid/`,
    operationId: 'deleteOwnSession',
    summary: 'End one of your sessions',
    tag,
    scope: 'any',
    params: UuidParams,
    responses: { 204: null },
    errors: [403],
    handler: async ({ deps, principal, params }) => {
      // A program has no sessions, so this is none of them.
      if (principal.actor?.type !== 'USER') throw notFound();
      const { account_id, uuid } = await findCaller(deps, principal);
      if (!(await deleteSessionOf(deps.db, account_id, uuid, params.uuid))) throw notFound();
      deps.caches.forget(tokenCache);
      return noContent();
    },
  }),
];
