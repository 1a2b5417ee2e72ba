import { type Static, Type } from 'typebox';
import { isCommonPassword } from '../../../platform/common-passwords.ts';
import { ValidationError } from '../../../platform/errors.ts';
import { PageOf, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { RoleName } from '../roles/schemas.ts';
import { Scopes } from '../tokens/schemas.ts';
import type { UserRow } from './queries.ts';

// ASCII alone: two names must not look the same, and PostgreSQL and we must agree on what lower case is.
export const username = Type.String({
  pattern: '^[A-Za-z0-9_.@+-]{1,150}$',
  'x-message': 'Enter a valid username: letters, numbers, and @/./+/-/_ characters.',
  description: 'Unique on this server, whatever its case; an e-mail address will do.',
});
export const password = Type.String({
  minLength: 10,
  maxLength: 1000,
  description: 'Never shown again. Not the username, and not a common password.',
});

const writable = { username, password };

export const UserCreate = Type.Object(
  { ...writable, scopes: Type.Optional(Scopes), role: Type.Optional(RoleName) },
  {
    title: 'UserCreate',
    description: 'A role, or scopes; without both: `read` and `write`. Nobody can give more than they have.',
  },
);
export type UserCreate = Static<typeof UserCreate>;

export const UserPatch = Type.Partial(Type.Object({ ...writable, scopes: Scopes, role: RoleName }), {
  title: 'UserPatch',
});
export type UserPatch = Static<typeof UserPatch>;

export const User = Type.Object(
  {
    uuid: Uuid(),
    username: Type.String(),
    full_name: Type.String({ description: 'The name of the person, as they gave it.' }),
    role: nullable(Type.String({ description: 'The role; null: the scopes were given one by one.' })),
    scopes: Type.Array(Type.String()),
    active: Type.Boolean({
      description: 'Whether they can sign in; an identity provider can deactivate them by SCIM.',
    }),
    created: Timestamp(),
    last_sign_in: nullable(Timestamp()),
  },
  { title: 'User' },
);
export const UserPage = PageOf(User, 'UserPage');

export const presentUser = (row: UserRow) => ({
  uuid: row.uuid,
  username: row.username,
  full_name: row.full_name,
  role: row.role,
  scopes: row.scopes,
  active: row.deactivated === null,
  created: row.created,
  last_sign_in: row.last_sign_in,
});

/** Why nobody may have this password, in a sentence; undefined: they may. How long it is, the schemas say. */
export function refusalOfPassword(username: string, password: string): string | undefined {
  if (username.toLowerCase() === password.toLowerCase()) return 'The password is too similar to the username.';
  return isCommonPassword(password) ? 'This password is too common.' : undefined;
}

export function refuseWeakPassword(username: string, password: string, field = 'password'): void {
  const refusal = refusalOfPassword(username, password);
  if (refusal) throw new ValidationError({ [field]: [refusal] });
}
