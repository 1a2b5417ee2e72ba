import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { pageQuery } from '../../../platform/db/page.ts';
import { presentPage, UuidParams } from '../../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../../platform/http/route.ts';
import { accept, findInvited } from './accept.ts';
import { invite, resetPassword, revokeInvitation } from './invite.ts';
import { listInvitations } from './queries.ts';
import {
  Accepted,
  InvitationAccept,
  InvitationCreate,
  InvitationPage,
  InvitationSecret,
  InvitationShown,
  InvitationWithLink,
  PasswordReset,
  presentInvitation,
  presentShown,
} from './schemas.ts';

const tag = 'Account';
const url = '/v2/invitations/';
const noStore = { 'cache-control': 'no-store' };
const taking = {
  method: 'POST',
  operationId: 'acceptInvitation',
  summary: 'Accept an invitation, or set a password with a reset link',
} as const;

export const invitationRoutes = [
  route({
    method: 'GET',
    url,
    operationId: 'listInvitations',
    summary: 'List invitations',
    tag,
    scope: 'users:read',
    query: Type.Object(pageQuery),
    responses: { 200: InvitationPage },
    handler: async ({ deps, accountId, query, url }) => {
      const page = await listInvitations(deps.db, accountId, query);
      return ok(presentPage(page, url(), (row) => presentInvitation(row, deps.clock.now())));
    },
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createInvitation',
    summary: 'Invite somebody: a link that makes one user',
    description:
      'The link is shown once and works once. You send it; Parley sends nothing. Nobody can give more than they have.',
    tag,
    scope: 'users:write',
    fresh: 'session',
    body: InvitationCreate,
    responses: { 201: InvitationWithLink },
    example: { email: 'bo@example.com', role: 'agent' },
    handler: async ({ deps, principal, body, url }) => {
      const { row, link } = await invite(deps, principal, body, url());
      return { ...created({ ...presentInvitation(row, deps.clock.now()), link }), headers: noStore };
    },
  }),
  route({
    method: 'DELETE',
    url: `${url}:uuid/`,
    operationId: 'deleteInvitation',
    summary: 'Revoke an invitation',
    tag,
    scope: 'users:write',
    fresh: 'session',
    params: UuidParams,
    responses: { 204: null },
    handler: async ({ deps, principal, params }) => {
      await revokeInvitation(deps, principal, params.uuid);
      return noContent();
    },
  }),
  route({
    method: 'POST',
    url: '/v2/users/:uuid/password-reset/',
    operationId: 'createPasswordReset',
    summary: 'Make a link by which a user sets another password',
    description:
      'The link is shown once, works once and expires after a day. The old password works until then. You cannot reset a user who ' +
      'may do more than you: 403.',
    tag,
    scope: 'users:write',
    fresh: 'session',
    params: UuidParams,
    responses: { 201: PasswordReset },
    errors: [403],
    handler: async ({ deps, principal, params, url }) => {
      const { row, link } = await resetPassword(deps, principal, params.uuid, url());
      return { ...created({ link, expires: row.expires }), headers: noStore };
    },
  }),
  route({
    method: 'POST',
    url: '/v2/auth/invitation/',
    operationId: 'getInvitation',
    summary: 'Get what an invitation or reset link is for',
    tag,
    scope: 'public',
    body: InvitationSecret,
    responses: { 200: InvitationShown },
    errors: [403, 404, 429],
    // It changes nothing.
    audit: false,
    example: { secret: 'a secret from the link of an invitation' },
    handler: async ({ deps, body, request }) => ({
      ...ok(presentShown(await findInvited(deps, body.secret, request))),
      headers: noStore,
    }),
  }),
  route({
    ...taking,
    url: '/v2/auth/invitation/accept/',
    description: 'Makes the user, or sets the password. The link does not work any more afterwards; sign in as usual.',
    tag,
    scope: 'public',
    body: InvitationAccept,
    responses: { 200: Accepted },
    errors: [403, 404, 429],
    audit: 'itself',
    example: {
      secret: 'a secret from the link of another invitation',
      username: 'bo@example.com',
      full_name: 'Bo Larsen',
      password: 'correct horse battery',
    },
    handler: async ({ deps, body, request }) => {
      const { username } = await accept(deps, body, { operation: taking, request });
      return ok({ username });
    },
  }),
];
