import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

/** One key of the operator's: it wraps data keys, and opens what was sealed before there were any. */
export interface RingKey {
  /** A fingerprint of 8 hexadecimal digits, by which status and errors name the key without showing it. */
  id: string;
  wrapKey: Buffer;
  /** What values of the first format (`v1:`) and digests were made with. */
  sealKey: Buffer;
  digestKey: Buffer;
}

/** The operator's keys, the newest first: that one wraps, all of them unwrap. */
export type Ring = readonly [RingKey, ...RingKey[]];

export function ringOf(texts: readonly [string, ...string[]] | readonly string[]): Ring {
  const [first, ...others] = texts.map(ringKeyOf);
  if (!first) throw new Error('A ring has at least one key.');
  return [first, ...others];
}

const ringKeyOf = (text: string): RingKey => ({
  id: hash('sha256', `parley key id v1\n${text}`, 'hex').slice(0, 8),
  wrapKey: derive('wrap', text),
  sealKey: derive('vault', text),
  digestKey: derive('digest', text),
});

const derive = (purpose: string, text: string): Buffer => hash('sha256', `parley ${purpose} v1\n${text}`, 'buffer');

/** AES-256-GCM: nonce of 12 bytes, tag of 16, text. `bound` has to be the same when it is opened. */
export function encrypt(key: Buffer, plain: string | Buffer, bound = ''): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  if (bound !== '') cipher.setAAD(Buffer.from(bound));
  const body = Buffer.concat([
    typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain),
    cipher.final(),
  ]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** Throws where key, bytes or `bound` are not those it was encrypted with. */
export function decrypt(key: Buffer, bytes: Buffer, bound = ''): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  if (bound !== '') decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
}
