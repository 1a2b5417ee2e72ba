import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type DecipherGCM,
  type Hmac,
} from 'node:crypto';

/**
 * Node's own, for keys that are bytes. Given as a Buffer, Node takes such a key for two other kinds of key first, and each of these tries ends
 * in an exception: 22 µs a time, ten times what the cipher itself takes.
 */

const algorithm = 'aes-256-gcm';
export const tagBytes = 16;

export const encrypting = (key: Buffer, nonce: Buffer): CipherGCM =>
  createCipheriv(algorithm, createSecretKey(key), nonce);

export const decrypting = (key: Buffer, nonce: Buffer): DecipherGCM =>
  createDecipheriv(algorithm, createSecretKey(key), nonce, { authTagLength: tagBytes });

export const hmacSha256 = (key: Buffer): Hmac => createHmac('sha256', createSecretKey(key));
