import { route } from '../../../deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { UuidParams } from '../../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../../platform/http/route.ts';
import { addPasskey, personOf, removePasskey, userOf } from './manage.ts';
import { offerPasskeySignIn, offerRegistration } from './passkeys.ts';
import { renamePasskey } from './queries.ts';
import { own } from './routes.ts';
import { Passkey, PasskeyCreate, PasskeyOptions, PasskeyPatch, PasskeyWithCodes, presentPasskey } from './schemas.ts';

const url = '/v2/auth/factors/passkeys/';
const one = `${url}:uuid/` as const;
const base64 = 'dGhlIGJyb3dzZXIgbWFrZXMgdGhpcw';

export const passkeyRoutes = [
  route({
    method: 'POST',
    url: '/v2/auth/passkey-options/',
    operationId: 'getPasskeyOptions',
    summary: 'Begin to sign in with a passkey',
    description:
      'Hand the answer to `navigator.credentials.get()` and send what that answers as `passkey` to `POST /v2/auth/session/`. The passkeys ' +
      'are those of the host name of `PUBLIC_URL`, or else of the host that you ask.',
    tag: 'Account',
    scope: 'public',
    audit: false,
    responses: { 200: PasskeyOptions },
    errors: [429],
    handler: async ({ deps, request }) => ({
      ...ok(await offerPasskeySignIn(deps, request)),
      headers: { 'cache-control': 'no-store' },
    }),
  }),
  route({
    method: 'POST',
    url: `${url}options/`,
    operationId: 'getPasskeyRegistrationOptions',
    summary: 'Begin to add a passkey',
    description: 'Hand the answer to `navigator.credentials.create()` and send what that answers as `credential`.',
    ...own,
    audit: false,
    responses: { 200: PasskeyOptions },
    handler: async ({ deps, principal, request }) => {
      const { username } = await userOf(deps.db, principal);
      return ok(await offerRegistration(deps, { ...personOf(principal), username }, request));
    },
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createPasskey',
    summary: 'Add a passkey',
    description: 'With the first factor you get ten recovery codes, and your other sessions end.',
    ...own,
    body: PasskeyCreate,
    responses: { 201: PasskeyWithCodes },
    example: {
      name: 'Laptop',
      credential: {
        id: base64,
        rawId: base64,
        type: 'public-key',
        response: { clientDataJSON: base64, attestationObject: base64 },
      },
    },
    handler: async ({ deps, principal, body, request }) => {
      const { row, codes } = await addPasskey(deps, principal, { ...body, request });
      return created({ ...presentPasskey(row), recovery_codes: codes });
    },
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'renamePasskey',
    summary: 'Rename a passkey',
    ...own,
    params: UuidParams,
    body: PasskeyPatch,
    responses: { 200: Passkey },
    example: { name: 'Old laptop' },
    handler: async ({ deps, principal, params, body }) => {
      const row = await renamePasskey(deps.db, personOf(principal), params.uuid, body.name);
      if (!row) throw notFound();
      return ok(presentPasskey(row));
    },
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deletePasskey',
    summary: 'Remove a passkey',
    description: 'The last factor cannot be removed while the account requires one: 409.',
    ...own,
    params: UuidParams,
    responses: { 204: null },
    errors: [403, 409],
    handler: async ({ deps, principal, params }) => {
      await removePasskey(deps, principal, params.uuid);
      return noContent();
    },
  }),
];
