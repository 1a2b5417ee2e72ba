import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeVault, newToken, tokenHash } from './secrets.ts';

test('a token is 40 hexadecimal characters and its hash does not hold it', () => {
  const token = newToken();
  assert.match(token, /^[0-9a-f]{40}$/);
  assert.ok(!tokenHash(token).includes(token));
});

test('a digest is the same for one text and one key, and different for others', () => {
  const digest = makeVault('key one').digest('2030-01-01');
  assert.match(digest, /^[0-9a-f]{64}$/);
  assert.equal(makeVault('key one').digest('2030-01-01'), digest);
  assert.notEqual(makeVault('key one').digest('2030-01-02'), digest);
  assert.notEqual(makeVault('key two').digest('2030-01-01'), digest);
});

test('the vault gives back what it sealed, differently each time, and only with its own key', () => {
  const vault = makeVault('key one');
  const sealed = vault.seal('app secret ✓');
  assert.equal(vault.open(sealed), 'app secret ✓');
  assert.notEqual(vault.seal('app secret ✓'), sealed);
  assert.ok(!sealed.includes('secret'));
  assert.throws(() => makeVault('key two').open(sealed));
  const tampered = `${sealed.slice(0, -4)}${sealed.at(-4) === 'A' ? 'B' : 'A'}${sealed.slice(-3)}`;
  assert.throws(() => vault.open(tampered));
});
