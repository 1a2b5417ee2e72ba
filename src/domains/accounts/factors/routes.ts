import { route } from '../../../deps.ts';
import { UuidParams } from '../../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../../platform/http/route.ts';
import { findAccount } from '../queries.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import { resetFactors } from '../users/change.ts';
import { changeSecurity, confirmTotp, personOf, removeTotp, renewRecoveryCodes, startTotp, userOf } from './manage.ts';
import { findFactors, listPasskeys } from './queries.ts';
import {
  AccountSecurity,
  AccountSecurityPatch,
  presentFactors,
  RecoveryCodes,
  SecondFactors,
  TotpConfirm,
  TotpSetup,
} from './schemas.ts';

const tag = 'Account';
const url = '/v2/auth/factors/';
const totp = `${url}totp/` as const;
const security = '/v2/account/security/';

/** One's own: whatever the scopes, and also where a second factor is still to be set up. */
export const own = {
  ...({ tag, scope: 'any', fresh: 'person', enrolment: true } as const),
  errors: [403],
};

export const factorRoutes = [
  route({
    method: 'GET',
    url,
    operationId: 'getFactors',
    summary: 'Get your second factors',
    tag,
    scope: 'any',
    enrolment: true,
    errors: [403],
    responses: { 200: SecondFactors },
    handler: async ({ deps, principal }) => {
      const person = personOf(principal);
      const { has_password: password } = await userOf(deps.db, principal);
      const { require_second_factor: required } = await findAccount(deps.db, principal.accountId);
      const passkeys = await listPasskeys(deps.db, person);
      return ok(presentFactors(await findFactors(deps.db, person), { passkeys, required, password }));
    },
  }),
  route({
    method: 'POST',
    url: totp,
    operationId: 'startTotp',
    summary: 'Set up an authenticator app',
    description: 'It counts once a code of it was confirmed. A request that was not confirmed is replaced by the next.',
    ...own,
    responses: { 201: TotpSetup },
    handler: async ({ deps, principal }) => created(await startTotp(deps, principal)),
  }),
  route({
    method: 'POST',
    url: `${totp}confirm/`,
    operationId: 'confirmTotp',
    summary: 'Confirm an authenticator app with its first code',
    description:
      'From now on signing in needs a code. With the first factor you get ten recovery codes, and your other sessions end.',
    ...own,
    body: TotpConfirm,
    responses: { 200: RecoveryCodes },
    example: { otp: '123456' },
    handler: async ({ deps, principal, body }) => ok({ recovery_codes: await confirmTotp(deps, principal, body.otp) }),
  }),
  route({
    method: 'DELETE',
    url: totp,
    operationId: 'removeTotp',
    summary: 'Remove your authenticator app',
    description: 'The last factor cannot be removed while the account requires one: 409.',
    ...own,
    responses: { 204: null },
    errors: [403, 404, 409],
    handler: async ({ deps, principal }) => {
      await removeTotp(deps, principal);
      return noContent();
    },
  }),
  route({
    method: 'POST',
    url: `${url}recovery-codes/`,
    operationId: 'renewRecoveryCodes',
    summary: 'Get new recovery codes; those from before end',
    ...own,
    responses: { 201: RecoveryCodes },
    handler: async ({ deps, principal }) => created({ recovery_codes: await renewRecoveryCodes(deps, principal) }),
  }),
  route({
    method: 'DELETE',
    url: '/v2/users/:uuid/factors/',
    operationId: 'resetUserFactors',
    summary: "Remove a user's second factors",
    description:
      'For somebody who lost theirs. Ends their sessions and the tokens that were created by signing in. You cannot change a user ' +
      'who may do more than you: 403.',
    tag,
    scope: 'account:write',
    fresh: 'session',
    params: UuidParams,
    responses: { 204: null },
    errors: [403],
    handler: async ({ deps, principal, params }) => {
      await resetFactors(deps, principal, params.uuid);
      return noContent();
    },
  }),
  route({
    method: 'GET',
    url: security,
    operationId: 'getAccountSecurity',
    summary: 'Get what the account asks of whoever signs in',
    tag,
    scope: 'account:read',
    responses: { 200: AccountSecurity },
    tagged: { row: (accountId) => ({ table: 'accounts', where: { uuid: accountId } }) },
    handler: async ({ deps, accountId }) => {
      const { require_second_factor, sso_required } = await findAccount(deps.db, accountId);
      return ok({ require_second_factor, sso_required });
    },
  }),
  route({
    method: 'PATCH',
    url: security,
    operationId: 'updateAccountSecurity',
    summary: 'Change what the account asks of whoever signs in',
    tag,
    scope: 'account:write',
    fresh: 'session',
    body: AccountSecurityPatch,
    responses: { 200: AccountSecurity },
    example: { require_second_factor: true },
    errors: [403],
    handler: async ({ deps, accountId, body }) => {
      const { require_second_factor, sso_required } = await changeSecurity(deps.db, accountId, body);
      deps.caches.forget(tokenCache);
      return ok({ require_second_factor, sso_required });
    },
  }),
];
