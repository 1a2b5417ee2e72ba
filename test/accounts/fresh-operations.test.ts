// What is sensitive asks whoever is signed in with a browser to have proved lately who they are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '../../src/app.ts';

test('What hands out or changes secrets, users and factors asks for it', () => {
  const asked = routes.filter(({ fresh }) => fresh).map(({ operationId }) => operationId);
  for (const operationId of [
    ...['createToken', 'createUser', 'updateUser', 'deleteUser', 'resetUserFactors', 'updateAccountSecurity'],
    ...['startTotp', 'confirmTotp', 'removeTotp', 'renewRecoveryCodes', 'createPasskey', 'deletePasskey'],
    ...['createInvitation', 'deleteInvitation', 'createPasswordReset', 'changePassword'],
    ...['rotateCallbackSecret', 'rotateWebhookSecret', 'createTenantToken'],
  ]) {
    assert.ok(asked.includes(operationId), operationId);
  }
});
