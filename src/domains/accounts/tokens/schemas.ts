import { type Static, Type } from 'typebox';
import { PageOf, Phone, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { international } from '../../../platform/phone.ts';
import { Otp, RecoveryCode } from '../factors/schemas.ts';
import { type ListedToken, tokenKinds } from './queries.ts';

export const Credentials = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 150 }),
    password: Type.String({ minLength: 1, maxLength: 1000 }),
    otp: Type.Optional(Otp),
    recovery_code: Type.Optional(RecoveryCode),
  },
  { title: 'Credentials' },
);

export const IssuedToken = Type.Object({ token: Type.String(), expires: Timestamp() }, { title: 'IssuedToken' });

const scopePattern = '^(read|write|operator|[a-z]+:(read|write))$';
export const Scopes = Type.Array(Type.String({ pattern: scopePattern, 'x-message': 'Not a valid scope.' }), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: '`read`, `write`, or per group such as `chatapp:write`.',
});

export const TokenCreate = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    scopes: Type.Optional(Scopes),
    expires: Type.Optional(
      nullable(
        Type.String({
          format: 'date-time',
          description:
            'null: it does not expire. Not after your own token does; left out: when that does, or after `token_days` of the account.',
        }),
      ),
    ),
    purpose: Type.Optional(Type.String({ maxLength: 200, description: 'What it is for, in your words.' })),
    allowed_networks: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 50, examples: ['192.0.2.0/24'] }), {
        minItems: 1,
        maxItems: 50,
        description:
          'Networks from which alone it may be used; 403 `network_not_allowed` from elsewhere. Left out: everywhere.',
      }),
    ),
    resources: Type.Optional(
      Type.Array(Phone(), {
        minItems: 1,
        maxItems: 100,
        description:
          'Phone numbers that it is bound to: of chat-app accounts, or numbers that you bought. It can be used for them alone, and only with ' +
          'the operations that the documentation lists; 403 `resource_not_allowed` otherwise. Left out: it is bound to none.',
      }),
    ),
  },
  { title: 'TokenCreate', description: 'It ends with the token or the user who makes it, and can do no more.' },
);
export type TokenCreate = Static<typeof TokenCreate>;

export const TokenKind = Type.Enum([...tokenKinds], {
  title: 'TokenKind',
  description: 'API: a secret that somebody keeps. SESSION: somebody is signed in with a browser.',
});
const tokenFields = {
  uuid: Uuid(),
  name: Type.String(),
  kind: TokenKind,
  purpose: Type.String({ description: 'What it is for.' }),
  allowed_networks: nullable(
    Type.Array(Type.String(), { description: 'Networks from which alone it may be used; null: everywhere.' }),
  ),
  resources: nullable(Type.Array(Type.String(), { description: 'Phone numbers that it is bound to; null: none.' })),
  scopes: Type.Array(Type.String()),
  expires: nullable(Timestamp()),
  created: Timestamp(),
  created_by: nullable(
    Type.String({ description: 'The user or the token that made it. It ends with them; null: with nobody.' }),
  ),
  last_used: nullable(Timestamp('To the minute.')),
  last_used_address: nullable(Type.String({ description: 'The IP address it was last used from.' })),
};
export const Token = Type.Object(tokenFields, { title: 'Token' });
export const TokenWithSecret = Type.Object(
  { ...tokenFields, token: Type.String({ description: 'Shown this once.' }) },
  { title: 'TokenWithSecret' },
);
export const TokenPage = PageOf(Token, 'TokenPage');

export const presentToken = (row: ListedToken) => ({
  uuid: row.uuid,
  name: row.name,
  kind: row.kind,
  purpose: row.purpose,
  allowed_networks: row.allowed_networks,
  resources: row.resources?.map(international) ?? null,
  scopes: row.scopes,
  expires: row.expires,
  created: row.created,
  created_by: row.created_by,
  last_used: row.last_used,
  last_used_address: row.last_used_address,
});
