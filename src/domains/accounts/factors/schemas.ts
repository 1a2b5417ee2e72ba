import { type Static, Type } from 'typebox';
import { FreeForm, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import type { Factors, PasskeyRow } from './queries.ts';

export const Otp = Type.String({
  pattern: '^\\d{6}$',
  'x-message': 'Enter the six digits that your authenticator app shows.',
  description: 'A code of the authenticator app; each is accepted once.',
});
export const RecoveryCode = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'One of the recovery codes, in place of `otp`; each is accepted once.',
});

const text = (description: string) => Type.String({ minLength: 1, maxLength: 4000, description });

/** As `PublicKeyCredential.toJSON()` of browsers writes them (WebAuthn, 5.1). */
const credentialFields = {
  id: text('The id of the credential, base64url.'),
  rawId: text('The same.'),
  type: Type.String({ const: 'public-key', description: '`public-key`.' }),
  authenticatorAttachment: Type.Optional(
    nullable(Type.String({ maxLength: 50, description: 'How the browser reached it.' })),
  ),
  clientExtensionResults: Type.Optional(FreeForm({ description: 'Results of extensions.' })),
};
export const PasskeyAssertion = Type.Object(
  {
    ...credentialFields,
    response: Type.Object(
      {
        clientDataJSON: text('What the browser signed for, base64url.'),
        authenticatorData: text('What the authenticator says of itself, base64url.'),
        signature: text('The signature, base64url.'),
        userHandle: Type.Optional(nullable(Type.String({ maxLength: 200, description: 'The user, base64url.' }))),
      },
      { description: 'What the authenticator answered.' },
    ),
  },
  {
    title: 'PasskeyAssertion',
    description: 'What `navigator.credentials.get()` answered, as JSON, in place of name and password.',
  },
);
const PasskeyCredential = Type.Object(
  {
    ...credentialFields,
    response: Type.Object(
      {
        clientDataJSON: text('What the browser signed for, base64url.'),
        attestationObject: Type.String({ minLength: 1, maxLength: 20_000, description: 'The new key, base64url.' }),
        transports: Type.Optional(
          Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20, description: 'How it can be reached.' }),
        ),
        authenticatorData: Type.Optional(text('What the authenticator says of itself, base64url.')),
        publicKey: Type.Optional(nullable(text('The public key, base64url.'))),
        publicKeyAlgorithm: Type.Optional(Type.Integer({ description: 'Its algorithm, by COSE.' })),
      },
      { description: 'What the authenticator answered.' },
    ),
  },
  { title: 'PasskeyCredential', description: 'What `navigator.credentials.create()` answered, as JSON.' },
);

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What you call it, such as the device it is on.',
});
export const PasskeyCreate = Type.Object({ name, credential: PasskeyCredential }, { title: 'PasskeyCreate' });
export const PasskeyPatch = Type.Object({ name }, { title: 'PasskeyPatch' });
export const Passkey = Type.Object(
  { uuid: Uuid(), name, created: Timestamp(), last_used: nullable(Timestamp()) },
  { title: 'Passkey' },
);
export const PasskeyWithCodes = Type.Object(
  {
    ...Passkey.properties,
    recovery_codes: nullable(
      Type.Array(Type.String(), { description: 'Shown this once; null: there are some from before.' }),
    ),
  },
  { title: 'PasskeyWithCodes' },
);
export const PasskeyOptions = FreeForm({
  title: 'PasskeyOptions',
  description:
    'The `publicKey` for `navigator.credentials`, as JSON (WebAuthn, 5.4.8 and 5.5). Good for one use within ten minutes.',
});

export const SecondFactors = Type.Object(
  {
    required: Type.Boolean({ description: 'Whether the account requires a second factor.' }),
    totp: nullable(
      Type.Object(
        { created: Timestamp('When its first code was entered.') },
        { title: 'TotpFactor', description: 'The authenticator app; null: none.' },
      ),
    ),
    passkeys: Type.Array(Passkey, { description: 'The passkeys.' }),
    recovery_codes_left: Type.Integer({ description: 'How many recovery codes can still be used.' }),
    password: Type.Boolean({ description: 'Whether you can sign in with a password.' }),
  },
  { title: 'SecondFactors' },
);

export const TotpSetup = Type.Object(
  {
    secret: Type.String({ description: 'The secret, base32, to type into an authenticator app.' }),
    otpauth_url: Type.String({ description: 'The same as an address, for a QR code.' }),
  },
  { title: 'TotpSetup' },
);
export const TotpConfirm = Type.Object({ otp: Otp }, { title: 'TotpConfirm' });
export const RecoveryCodes = Type.Object(
  {
    recovery_codes: nullable(
      Type.Array(Type.String(), { description: 'Shown this once; null: there are some from before.' }),
    ),
  },
  { title: 'RecoveryCodes' },
);

export const AccountSecurity = Type.Object(
  {
    require_second_factor: Type.Boolean({
      description:
        'Users who sign in with a password alone can set up a second factor, and nothing else. Tokens of programs are not affected.',
    }),
    sso_required: Type.Boolean({
      description:
        'Users other than owners sign in by an identity provider alone; owners keep their passwords for the day on which it does not work. Tokens of programs are not affected.',
    }),
  },
  { title: 'AccountSecurity' },
);
export const AccountSecurityPatch = Type.Partial(AccountSecurity, { title: 'AccountSecurityPatch' });
export type AccountSecurityPatch = Static<typeof AccountSecurityPatch>;

export const presentPasskey = ({ uuid, name, created, last_used }: PasskeyRow) => ({ uuid, name, created, last_used });

export const presentFactors = (
  factors: Factors,
  { passkeys, required, password }: { passkeys: PasskeyRow[]; required: boolean; password: boolean },
) => ({
  required,
  totp: factors.totpConfirmed === null ? null : { created: factors.totpConfirmed },
  passkeys: passkeys.map(presentPasskey),
  recovery_codes_left: factors.recoveryCodes,
  password,
});
