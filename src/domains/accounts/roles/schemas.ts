import { type Static, Type } from 'typebox';
import { PageOf, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { scopeGroups } from '../../../platform/http/route.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import type { BuiltInRole } from './built-in.ts';
import type { RoleRow } from './queries.ts';

const groups = Object.keys(scopeGroups).join('|');

/** The name of a role as users and invitations give it. */
export const RoleName = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '\\S',
  description:
    'A role: `owner`, `admin`, `developer`, `supervisor`, `agent`, `analyst`, `billing`, or one of your own. In place of `scopes`.',
});

const writable = {
  name: Type.String({
    // No slash: roles are addressed by their names.
    pattern: '^[A-Za-z0-9+][A-Za-z0-9 +_.-]{0,49}$',
    'x-message': 'Enter a valid name: letters, numbers, spaces and +_.- characters, 50 at most.',
    description: 'Unique in the account, whatever its case.',
  }),
  description: Type.String({ maxLength: 200 }),
  scopes: Type.Array(
    Type.String({ pattern: `^(read|write|(${groups}):(read|write))$`, 'x-message': 'Not a valid scope.' }),
    {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'What its users may do: `read`, `write`, or per group such as `inbox:write`.',
    },
  ),
};

export const RoleCreate = Type.Object(
  { ...writable, description: Type.Optional(writable.description) },
  { title: 'RoleCreate', description: 'Nobody can give more than they have.' },
);
export type RoleCreate = Static<typeof RoleCreate>;
export const RolePatch = Type.Partial(Type.Object(writable), { title: 'RolePatch' });
export type RolePatch = Static<typeof RolePatch>;

export const Role = Type.Object(
  {
    uuid: nullable(Uuid('Null for a built-in role.')),
    name: Type.String(),
    description: Type.String({ description: 'What it is for.' }),
    scopes: Type.Array(Type.String()),
    built_in: Type.Boolean({ description: 'Every account has it, and nobody can change it.' }),
    users: Type.Integer({ description: 'How many users have it.' }),
    created: nullable(Timestamp('Null for a built-in role.')),
    modified: nullable(Timestamp('Null for a built-in role.')),
  },
  { title: 'Role' },
);
export const RolePage = PageOf(Role, 'RolePage');

export const presentRole = (role: RoleRow | BuiltInRole, users: ReadonlyMap<string, number>) => ({
  uuid: 'uuid' in role ? role.uuid : null,
  name: role.name,
  description: role.description,
  scopes: role.scopes,
  built_in: !('uuid' in role),
  users: users.get(role.name) ?? 0,
  created: 'uuid' in role ? role.created : null,
  modified: 'uuid' in role ? role.modified : null,
});
