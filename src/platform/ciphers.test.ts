import assert from 'node:assert/strict';
import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { decrypting, encrypting, hmacSha256, tagBytes } from './ciphers.ts';

const key = randomBytes(32);
const nonce = randomBytes(12);

it('encrypts and signs as Node does with the same bytes', () => {
  const [ours, plain] = [encrypting(key, nonce), createCipheriv('aes-256-gcm', key, nonce)];
  assert.deepEqual([ours.update('text'), ours.final()], [plain.update('text'), plain.final()]);
  assert.deepEqual(ours.getAuthTag(), plain.getAuthTag());
  assert.deepEqual(hmacSha256(key).update('text').digest(), createHmac('sha256', key).update('text').digest());
});

it('takes no tag that is shorter', () => {
  assert.throws(() => decrypting(key, nonce).setAuthTag(Buffer.alloc(tagBytes - 4)));
});
