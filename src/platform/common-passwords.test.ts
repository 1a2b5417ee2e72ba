import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCommonPassword } from './common-passwords.ts';

test('common passwords are known in any case, and with digits or signs added', () => {
  for (const password of ['qwertyuiop', '1234567890', 'Q1W2E3R4T5', 'Password2026!', 'dragon12345', 'letmein!!!!']) {
    assert.ok(isCommonPassword(password), password);
  }
});

test('pass phrases and random passwords are not', () => {
  for (const password of ['correct horse battery', 'staple battery horse', 'k7Qm2-p9xV4z', 'a long pass phrase']) {
    assert.ok(!isCommonPassword(password), password);
  }
});
