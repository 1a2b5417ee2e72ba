import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { presentWhole } from '../../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../../platform/http/route.ts';
import { builtInRoles, findBuiltIn } from './built-in.ts';
import { changeRole, createRole, deleteRole } from './change.ts';
import { countUsersByRole, findOwnRole, isUuid, listOwnRoles } from './queries.ts';
import { presentRole, Role, RoleCreate, RolePage, RolePatch } from './schemas.ts';

const tag = 'Account';
const url = '/v2/roles/';
const one = `${url}:uuid/` as const;
const RoleParams = Type.Object({
  uuid: Type.String({ minLength: 1, maxLength: 50, description: 'The uuid or the name of the role.' }),
});

export const roleRoutes = [
  route({
    method: 'GET',
    url,
    operationId: 'listRoles',
    summary: 'List roles',
    description: 'The built-in roles, then those of the account.',
    tag,
    scope: 'users:read',
    responses: { 200: RolePage },
    handler: async ({ deps, accountId }) => {
      const [own, users] = [await listOwnRoles(deps.db, accountId), await countUsersByRole(deps.db, accountId)];
      return ok(presentWhole([...builtInRoles, ...own].map((role) => presentRole(role, users))));
    },
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createRole',
    summary: 'Create a role: a named set of scopes',
    tag,
    scope: 'users:write',
    fresh: 'session',
    body: RoleCreate,
    responses: { 201: Role },
    example: { name: 'Night shift', scopes: ['inbox:read', 'inbox:write', 'calls:read'] },
    handler: async ({ deps, principal, body }) =>
      created(presentRole(await createRole(deps, principal, body), new Map())),
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getRole',
    summary: 'Get a role',
    tag,
    scope: 'users:read',
    params: RoleParams,
    responses: { 200: Role },
    tagged: {
      without: ['users'],
      row: (account_id, { uuid: key = '' }) => ({
        table: 'roles',
        where: { account_id, [isUuid.test(key) ? 'uuid' : 'name']: key },
      }),
    },
    handler: async ({ deps, accountId, params }) => {
      const role = findBuiltIn(params.uuid) ?? (await findOwnRole(deps.db, accountId, params.uuid));
      if (!role) throw notFound();
      return ok(presentRole(role, await countUsersByRole(deps.db, accountId)));
    },
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'updateRole',
    summary: 'Change a role',
    description:
      'Users who have the role, and their sessions, can do what it says at once. Tokens that they created and that may do more ' +
      'than they may now are revoked. Built-in roles cannot be changed: 409.',
    tag,
    scope: 'users:write',
    fresh: 'session',
    params: RoleParams,
    body: RolePatch,
    responses: { 200: Role },
    errors: [409],
    example: { scopes: ['inbox:read', 'inbox:write', 'calls:read', 'recordings:read'] },
    handler: async ({ deps, principal, accountId, params, body }) => {
      const row = await changeRole(deps, principal, params.uuid, body);
      return ok(presentRole(row, await countUsersByRole(deps.db, accountId)));
    },
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteRole',
    summary: 'Delete a role',
    description: 'A role that users have, and a built-in one, cannot be deleted: 409.',
    tag,
    scope: 'users:write',
    fresh: 'session',
    params: RoleParams,
    responses: { 204: null },
    errors: [409],
    handler: async ({ deps, principal, params }) => {
      await deleteRole(deps, principal, params.uuid);
      return noContent();
    },
  }),
];
