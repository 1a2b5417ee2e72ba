import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePasswords, passwordCosts } from './passwords.ts';

/** What is looked at here is the same at every cost. */
const cheap = makePasswords({ usual: { N: 64, r: 8, p: 1 }, light: { N: 32, r: 8, p: 1 } });

test('a password matches its own hash and no other, and two hashes of it differ', async () => {
  const [first, second] = [await cheap.hash('correct horse'), await cheap.hash('correct horse')];
  assert.notEqual(first, second);
  assert.equal(await cheap.matches('correct horse', first), true);
  assert.equal(await cheap.matches('wrong horse', first), false);
  assert.equal(await cheap.matches('correct horse', undefined), false);
});

test('a hash costs 128 MiB; one of random bytes is made anew when somebody signs in with it', async () => {
  const passwords = makePasswords(passwordCosts);
  const [usual, light] = [await passwords.hash('correct horse'), await passwords.hashRandom('x7Qm2w')];
  assert.match(usual, /^scrypt\$131072\$8\$1\$/);
  // A hash says what it cost, so it opens wherever the costs are others by now.
  assert.equal(await cheap.matches('x7Qm2w', light), true);
  assert.deepEqual([passwords.isOutdated(usual), passwords.isOutdated(light)], [false, true]);
});
