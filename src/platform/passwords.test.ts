import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePasswords, passwordCosts } from './passwords.ts';

const passwords = makePasswords(passwordCosts);

test('a password matches its own hash and no other, and two hashes of it differ', async () => {
  const [first, second] = [await passwords.hash('correct horse'), await passwords.hash('correct horse')];
  assert.notEqual(first, second);
  assert.equal(await passwords.matches('correct horse', first), true);
  assert.equal(await passwords.matches('wrong horse', first), false);
  assert.equal(await passwords.matches('correct horse', undefined), false);
});

test('a hash costs 128 MiB; one of random bytes is made anew when somebody signs in with it', async () => {
  const [usual, light] = [await passwords.hash('correct horse'), await passwords.hashRandom('x7Qm2w')];
  assert.match(usual, /^scrypt\$131072\$8\$1\$/);
  assert.equal(await passwords.matches('x7Qm2w', light), true);
  assert.deepEqual([passwords.isOutdated(usual), passwords.isOutdated(light)], [false, true]);
});
