import { type Static, type TUnsafe, Type } from 'typebox';
import { Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { has, nullable } from '../../../platform/http/validation/index.ts';
import { Otp, PasskeyAssertion, RecoveryCode } from '../factors/schemas.ts';
import { mustEnrol } from '../tokens/authenticate.ts';

const fields = Type.Object({
  username: Type.Optional(Type.String({ minLength: 1, maxLength: 150 })),
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  otp: Type.Optional(Otp),
  recovery_code: Type.Optional(RecoveryCode),
  token: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'In place of name and password.' })),
  passkey: Type.Optional(PasskeyAssertion),
});
const absent = { not: {}, 'x-message': 'Give username and password, or token, not both.' };

export const SessionCreate = Type.Unsafe({
  ...fields,
  title: 'SessionCreate',
  description: 'A username and its password, a passkey, or a token.',
  if: { anyOf: [has('token'), has('passkey')] },
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
        {
          uuid: Uuid(),
          username: Type.String(),
          role: nullable(Type.String({ description: 'Their role; null: their scopes were given one by one.' })),
          full_name: Type.String({ description: 'Their name, as they gave it.' }),
          language_code: nullable(
            Type.String({ description: 'The language and region they chose; null: the browser’s.' }),
          ),
          time_zone: nullable(Type.String({ description: 'The time zone they chose; null: that of the account.' })),
          must_change_password: Type.Boolean({
            description: 'The password was printed at the first start; the console asks for another.',
          }),
        },
        { title: 'SessionUser', description: 'Who signed in; null: a token did.' },
      ),
    ),
    scopes: Type.Array(Type.String()),
    expires: nullable(Timestamp()),
    second_factor_setup_required: Type.Boolean({
      description: 'Whether all it can be used for is to set up the second factor that the account requires.',
    }),
    identity_provider: nullable(
      Type.Object(
        { uuid: Uuid(), name: Type.String() },
        { title: 'SessionProvider', description: 'Who vouched for them; null: they signed in by other means.' },
      ),
    ),
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
  role: string | null;
  full_name: string | null;
  language_code: string | null;
  user_time_zone: string | null;
  must_change_password: boolean | null;
  scopes: string[];
  expires: string | null;
  require_second_factor: boolean;
  second_factor: boolean;
  provider_uuid: string | null;
  provider_name: string | null;
}

export const presentSession = (row: SessionRow) => ({
  account: {
    uuid: row.account_id,
    name: row.account_name,
    time_zone: row.time_zone,
    default_country: row.default_country,
  },
  user:
    row.user_uuid === null
      ? null
      : {
          uuid: row.user_uuid,
          username: row.username,
          role: row.role,
          full_name: row.full_name,
          language_code: row.language_code,
          time_zone: row.user_time_zone,
          must_change_password: row.must_change_password,
        },
  scopes: row.scopes,
  expires: row.expires,
  second_factor_setup_required: row.user_uuid !== null && mustEnrol(row),
  identity_provider: row.provider_uuid === null ? null : { uuid: row.provider_uuid, name: row.provider_name },
});

const confirmFields = {
  password: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'For whoever has no second factor.' }),
  ),
  otp: Type.Optional(Otp),
  recovery_code: Type.Optional(RecoveryCode),
  passkey: Type.Optional(PasskeyAssertion),
  token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'For a session that was opened with a token: that token.',
    }),
  ),
};
export const SessionConfirm = Type.Object(confirmFields, {
  title: 'SessionConfirm',
  description: 'A code or a passkey for whoever has a second factor, else the password.',
});
export type SessionConfirm = Static<typeof SessionConfirm>;
