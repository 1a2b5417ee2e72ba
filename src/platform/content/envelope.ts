import { randomBytes } from 'node:crypto';
import { decrypting, encrypting, hmacSha256, tagBytes } from '../ciphers.ts';

/**
 * How content of an account is encrypted: AES-256-GCM under a key that is derived from a data key of the ring (decision 52) and the
 * account. Each value names both, and is bound to them:
 *
 *     text    \u0001 c1:<data key>:<account>:<base64 of nonce, tag, text>
 *     JSON    \t{"sealed":"c1:…", …what stays readable}
 *     bytes   magic (8), data key (4), account (16), nonce (12), tag (16), bytes
 *
 * JSON that Parley writes begins with no tab, so that nobody can pass something off as encrypted. Text and bytes that begin as encrypted
 * ones do are encrypted, whoever wrote them: what is opened was sealed here.
 */

/** A key by the number of its data key, and the account; undefined: this process does not have it. */
export type KeyOf = (number: number, accountId: string) => Buffer | undefined;

export const textMark = '\u0001';
export const jsonMark = '\t';
const bytesMark = Buffer.from('\u0000parley\u0001', 'latin1');

const version = 'c1';
const headerBytes = bytesMark.length + 4 + 16;
const nonceBytes = 12;

/** What an account's content is encrypted with. */
export const accountKey = (dataKey: Buffer, accountId: string): Buffer =>
  hmacSha256(dataKey).update(`parley content v1\n${accountId.toLowerCase()}`).digest();

/** The key to encrypt with, and what names it. */
export interface Sealing {
  number: number;
  accountId: string;
  key: Buffer;
}

export function sealText({ number, accountId, key }: Sealing, plain: string): string {
  const header = `${version}:${number}:${accountId.toLowerCase()}:`;
  const nonce = randomBytes(nonceBytes);
  const cipher = encrypting(key, nonce);
  cipher.setAAD(Buffer.from(header));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return header + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

const envelope = /^(c1:(\d{1,9}):([0-9a-f-]{36}):)([A-Za-z0-9+/]+=*)$/;

/** Whether it looks like one. */
export const isEnvelope = (text: string): boolean => envelope.test(text);

/** undefined: no key opens it. */
export function openText(keyOf: KeyOf, sealed: string): string | undefined {
  const [, header, number, accountId, body] = envelope.exec(sealed) ?? [];
  const key = header === undefined ? undefined : keyOf(Number(number), accountId!);
  if (!key) return undefined;
  return decrypt(key, Buffer.from(body!, 'base64'), Buffer.from(header!))?.toString('utf8');
}

export function sealBytes({ number, accountId, key }: Sealing, plain: Buffer): Buffer {
  const header = headerOf(bytesMark, number, accountId);
  const nonce = randomBytes(nonceBytes);
  const cipher = encrypting(key, nonce);
  cipher.setAAD(header);
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([header, nonce, cipher.getAuthTag(), body]);
}

export const isSealedBytes = (bytes: Buffer): boolean =>
  bytes.length >= headerBytes && bytes.subarray(0, bytesMark.length).equals(bytesMark);

/** undefined: no key opens it. */
export function openBytes(keyOf: KeyOf, sealed: Buffer): Buffer | undefined {
  const { number, accountId } = readHeader(sealed, bytesMark.length);
  const key = keyOf(number, accountId);
  return key && decrypt(key, sealed.subarray(headerBytes), sealed.subarray(0, headerBytes));
}

/** A mark, the number of the data key, and the account. */
export function headerOf(mark: Buffer, number: number, accountId: string): Buffer {
  const numbered = Buffer.alloc(4);
  numbered.writeUInt32BE(number);
  return Buffer.concat([mark, numbered, Buffer.from(accountId.replaceAll('-', ''), 'hex')]);
}

export function readHeader(bytes: Buffer, markBytes: number): { number: number; accountId: string } {
  const hex = bytes.toString('hex', markBytes + 4, markBytes + 20);
  const accountId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { number: bytes.readUInt32BE(markBytes), accountId };
}

function decrypt(key: Buffer, bytes: Buffer, bound: Buffer): Buffer | undefined {
  try {
    const decipher = decrypting(key, bytes.subarray(0, nonceBytes));
    decipher.setAAD(bound);
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}
