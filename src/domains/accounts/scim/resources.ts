import type { UserRow } from '../users/queries.ts';
import { isObject, ScimError } from './protocol.ts';
import type { GroupRow, Member } from './queries.ts';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';

type Json = Record<string, unknown>;

/** A user as SCIM has it (RFC 7643, 4.1). The name to sign in with is the address, too, unless another was given. */
export function presentUser(row: UserRow, groups: Member[], base: string): Json {
  const kept = row.scim as { name?: Json; emails?: Json[] };
  const formatted = row.full_name || undefined;
  return {
    schemas: [userSchema],
    id: row.uuid,
    ...(row.external_id !== null && { externalId: row.external_id }),
    userName: row.username,
    ...(formatted && { displayName: formatted }),
    name: { ...kept.name, ...(formatted && { formatted }) },
    emails: kept.emails ?? (row.username.includes('@') ? [{ value: row.username, type: 'work', primary: true }] : []),
    active: row.deactivated === null,
    groups: groups.map(({ group_uuid, display_name }) => ({
      value: group_uuid,
      display: display_name,
      $ref: `${base}/Groups/${group_uuid}`,
    })),
    meta: { resourceType: 'User', created: row.created, location: `${base}/Users/${row.uuid}` },
  };
}

export const presentGroup = (row: GroupRow, members: Member[] | undefined, base: string): Json => ({
  schemas: [groupSchema],
  id: row.uuid,
  ...(row.external_id !== null && { externalId: row.external_id }),
  displayName: row.display_name,
  ...(members && {
    members: members.map(({ user_uuid, username }) => ({
      value: user_uuid,
      display: username,
      $ref: `${base}/Users/${user_uuid}`,
    })),
  }),
  meta: {
    resourceType: 'Group',
    created: row.created,
    lastModified: row.modified,
    location: `${base}/Groups/${row.uuid}`,
  },
});

export interface UserFields {
  username: string;
  fullName: string;
  externalId: string | null;
  isActive: boolean;
  scim: { name?: Json; emails?: Json[] };
}

const username = /^[A-Za-z0-9_.@+-]{1,150}$/;
const mostEmails = 20;

/** What a client says of a user; 400 for what cannot be kept. */
export function readUser(body: unknown): UserFields {
  if (!isObject(body)) throw new ScimError(400, 'The body must be an object.', 'invalidSyntax');
  const { userName, displayName, name, emails, active } = body;
  if (typeof userName !== 'string' || !username.test(userName)) {
    throw new ScimError(400, 'userName must have 1 to 150 letters, numbers, and @/./+/-/_ characters.', 'invalidValue');
  }
  const { formatted, givenName, familyName } = isObject(name) ? name : {};
  const parts = { givenName: textOf(givenName, 'name.givenName'), familyName: textOf(familyName, 'name.familyName') };
  const whole = [parts.givenName, parts.familyName].filter(Boolean).join(' ');
  return {
    username: userName,
    fullName: (textOf(displayName, 'displayName') ?? textOf(formatted, 'name.formatted') ?? whole).slice(0, 150),
    externalId: textOf(body['externalId'], 'externalId') ?? null,
    isActive: readActive(active),
    scim: {
      name: Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)),
      ...(Array.isArray(emails) && { emails: emails.slice(0, mostEmails).map(readEmail) }),
    },
  };
}

/** Entra ID writes truth as a text. */
function readActive(active: unknown): boolean {
  if (active === undefined || active === null) return true;
  if (typeof active === 'boolean') return active;
  const text = String(active).toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw new ScimError(400, 'active must be true or false.', 'invalidValue');
}

function readEmail(email: unknown): Json {
  if (!isObject(email)) throw new ScimError(400, 'emails must be a list of objects.', 'invalidValue');
  const value = textOf(email['value'], 'emails.value');
  const type = textOf(email['type'], 'emails.type');
  const isPrimary = email['primary'] === true || String(email['primary']).toLowerCase() === 'true';
  return { ...(value !== undefined && { value }), ...(type !== undefined && { type }), primary: isPrimary };
}

export interface GroupFields {
  displayName: string;
  externalId: string | null;
  members: string[];
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const mostMembers = 10_000;

export function readGroup(body: unknown): GroupFields {
  if (!isObject(body)) throw new ScimError(400, 'The body must be an object.', 'invalidSyntax');
  const displayName = textOf(body['displayName'], 'displayName')?.trim();
  if (!displayName) throw new ScimError(400, 'displayName is required.', 'invalidValue');
  const members = body['members'] ?? [];
  if (!Array.isArray(members) || members.length > mostMembers) {
    throw new ScimError(400, `members must be a list of ${mostMembers} at most.`, 'invalidValue');
  }
  const ids = members.map((member) => String(isObject(member) ? member['value'] : member).toLowerCase());
  const wrong = ids.find((id) => !uuid.test(id));
  if (wrong !== undefined) throw new ScimError(400, 'members has something that is no id of a user.', 'invalidValue');
  return { displayName, externalId: textOf(body['externalId'], 'externalId') ?? null, members: [...new Set(ids)] };
}

const mostCharacters = 300;

function textOf(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string' && value.length <= mostCharacters && !value.includes('\0')) return value;
  throw new ScimError(400, `${name} must be a text of ${mostCharacters} characters at most.`, 'invalidValue');
}
