import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { pageQuery } from '../../../platform/db/page.ts';
import { notFound } from '../../../platform/errors.ts';
import { presentPage, UuidParams } from '../../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../../platform/http/route.ts';
import { changeUser, createUser, deleteUser } from './change.ts';
import { findUser, listUsers } from './queries.ts';
import { presentUser, User, UserCreate, UserPage, UserPatch } from './schemas.ts';

const tag = 'Account';
const url = '/v2/users/';
const one = `${url}:uuid/` as const;

export const userRoutes = [
  route({
    method: 'GET',
    url,
    operationId: 'listUsers',
    summary: 'List users',
    tag,
    scope: 'users:read',
    query: Type.Object(pageQuery),
    responses: { 200: UserPage },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listUsers(deps.db, accountId, query), url(), presentUser)),
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createUser',
    summary: 'Create a user who can sign in',
    tag,
    scope: 'users:write',
    fresh: 'session',
    body: UserCreate,
    responses: { 201: User },
    example: { username: 'ana@example.com', password: 'correct horse battery', role: 'agent' },
    handler: async ({ deps, principal, body }) => created(presentUser(await createUser(deps, principal, body))),
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getUser',
    summary: 'Get a user',
    tag,
    scope: 'users:read',
    params: UuidParams,
    responses: { 200: User },
    tagged: { without: ['last_sign_in'], row: 'users' },
    handler: async ({ deps, accountId, params }) => {
      const row = await findUser(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentUser(row));
    },
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'updateUser',
    summary: 'Change a user',
    description:
      'A new password, role or scopes end the sessions of the user and the tokens that were created by signing in. You cannot ' +
      'change a user who may do more than you: 403.',
    tag,
    scope: 'users:write',
    fresh: 'session',
    params: UuidParams,
    body: UserPatch,
    responses: { 200: User },
    errors: [409],
    example: { password: 'staple battery horse' },
    handler: async ({ deps, principal, params, body }) =>
      ok(presentUser(await changeUser(deps, principal, params.uuid, body))),
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteUser',
    summary: 'Delete a user',
    description:
      "Ends the user's sessions and the tokens that were created by signing in. The last user and the last owner of an account cannot be deleted: 409.",
    tag,
    scope: 'users:write',
    fresh: 'session',
    params: UuidParams,
    responses: { 204: null },
    errors: [409],
    handler: async ({ deps, principal, params }) => {
      await deleteUser(deps, principal, params.uuid);
      return noContent();
    },
  }),
];
