import { type Static, type TUnsafe, Type } from 'typebox';
import { Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { has, nullable } from '../../../platform/http/validation/index.ts';

const fields = Type.Object({
  username: Type.Optional(Type.String({ minLength: 1, maxLength: 150 })),
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  token: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'In place of name and password.' })),
});
const absent = { not: {}, 'x-message': 'Give username and password, or token, not both.' };

export const SessionCreate = Type.Unsafe({
  ...fields,
  title: 'SessionCreate',
  description: 'A username and its password, or a token.',
  if: has('token'),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { username: absent, password: absent } },
  else: { type: 'object', properties: { username: {}, password: {} }, required: ['username', 'password'] },
}) as TUnsafe<Static<typeof fields>>;
export type SessionCreate = Static<typeof fields>;

export const Session = Type.Object(
  {
    account: Type.Object(
      {
        uuid: Uuid(),
        name: Type.String(),
        time_zone: Type.String({ description: 'IANA name of the time zone of the account.' }),
        default_country: Type.String({ description: 'Country in which the account writes national numbers.' }),
      },
      { title: 'SessionAccount' },
    ),
    user: nullable(
      Type.Object(
        { uuid: Uuid(), username: Type.String() },
        { title: 'SessionUser', description: 'Who signed in; null: a token did.' },
      ),
    ),
    scopes: Type.Array(Type.String()),
    expires: nullable(Timestamp()),
  },
  { title: 'Session' },
);

export interface SessionRow {
  account_id: string;
  account_name: string;
  time_zone: string;
  default_country: string;
  user_uuid: string | null;
  username: string | null;
  scopes: string[];
  expires: string | null;
}

export const presentSession = (row: SessionRow) => ({
  account: {
    uuid: row.account_id,
    name: row.account_name,
    time_zone: row.time_zone,
    default_country: row.default_country,
  },
  user: row.user_uuid === null ? null : { uuid: row.user_uuid, username: row.username },
  scopes: row.scopes,
  expires: row.expires,
});
