import { randomBytes } from 'node:crypto';
import { decrypting, encrypting, hmacSha256, tagBytes } from '../ciphers.ts';
import { headerOf, type KeyOf, readHeader, type Sealing } from '../content/envelope.ts';

/**
 * A file that is encrypted in chunks, so that any of its bytes can be read without those before them:
 *
 *     magic (8), data key (4), account (16), salt (16)
 *     chunk: 65,536 encrypted bytes, the last one fewer, and a tag (16)
 *
 * Each file has a key of its own, from the account's key and the salt. The nonce of a chunk is its number and whether it is the last one, so
 * that chunks can be neither swapped nor left off; the header is bound to all of them.
 */

export const mark = Buffer.from('PARLEYF1');
const saltBytes = 16;
export const headerBytes = mark.length + 4 + 16 + saltBytes;
export const chunkBytes = 65_536;
const sealedChunkBytes = chunkBytes + tagBytes;

/** An open file: its header, and the key of its chunks. */
export interface FileKey {
  header: Buffer;
  key: Buffer;
}

const fileKey = (key: Buffer, header: Buffer): Buffer =>
  hmacSha256(key).update('parley file v1\n').update(header.subarray(-saltBytes)).digest();

export function newFileKey({ number, accountId, key }: Sealing): FileKey {
  const header = Buffer.concat([headerOf(mark, number, accountId), randomBytes(saltBytes)]);
  return { header, key: fileKey(key, header) };
}

/** Of the first bytes of a file; undefined: it is not encrypted, or not for this account. Throws where no key opens it. */
export function readFileKey(keyOf: KeyOf, header: Buffer, account: string): FileKey | undefined {
  if (header.length < headerBytes || !header.subarray(0, mark.length).equals(mark)) return undefined;
  const { number, accountId } = readHeader(header, mark.length);
  if (accountId !== account.toLowerCase()) return undefined;
  const key = keyOf(number, accountId);
  if (!key) throw new Error('An encrypted file cannot be decrypted with this SECRET_KEY.');
  const own = Buffer.from(header.subarray(0, headerBytes));
  return { header: own, key: fileKey(key, own) };
}

/** How large the file was before it was encrypted. */
export function plainSize(sealedSize: number): number {
  const body = Math.max(sealedSize - headerBytes, 0);
  return body - Math.ceil(body / sealedChunkBytes) * tagBytes;
}

const nonceOf = (index: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt8(isLast ? 1 : 0);
  nonce.writeUInt32BE(index, 8);
  return nonce;
};

/** The encrypted file, as its bytes come. */
export async function* sealed(
  { header, key }: FileKey,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  yield header;
  let index = 0;
  let waiting: Buffer = Buffer.alloc(0);
  const chunk = (plain: Buffer, isLast: boolean): Buffer => {
    const cipher = encrypting(key, nonceOf(index++, isLast));
    cipher.setAAD(header);
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };
  for await (const more of bytes) {
    waiting = waiting.length === 0 ? Buffer.from(more) : Buffer.concat([waiting, more]);
    let start = 0;
    // One that is full may be the last one.
    for (; waiting.length - start > chunkBytes; start += chunkBytes)
      yield chunk(waiting.subarray(start, start + chunkBytes), false);
    waiting = waiting.subarray(start);
  }
  yield chunk(waiting, true);
}

/** Which bytes of the encrypted file hold these of the plain one. */
export const sealedRange = (start: number, end: number, sealedSize: number): { start: number; end: number } => ({
  start: headerBytes + Math.floor(start / chunkBytes) * sealedChunkBytes,
  end: Math.min(headerBytes + (Math.floor(end / chunkBytes) + 1) * sealedChunkBytes, sealedSize) - 1,
});

/** The plain bytes `start` to `end` of encrypted ones that begin with the chunk of `start`. Throws where something was changed. */
export async function* opened(
  { header, key }: FileKey,
  bytes: AsyncIterable<Uint8Array>,
  { start, end, size }: { start: number; end: number; size: number },
): AsyncGenerator<Buffer, void, undefined> {
  let index = Math.floor(start / chunkBytes);
  const last = Math.max(Math.ceil(size / chunkBytes) - 1, 0);
  let waiting: Buffer = Buffer.alloc(0);
  const plainOf = (chunk: Buffer): Buffer => {
    const decipher = decrypting(key, nonceOf(index, index === last));
    decipher.setAAD(header);
    decipher.setAuthTag(chunk.subarray(-tagBytes));
    const plain = Buffer.concat([decipher.update(chunk.subarray(0, -tagBytes)), decipher.final()]);
    const first = index++ * chunkBytes;
    return plain.subarray(Math.max(start - first, 0), Math.max(end + 1 - first, 0));
  };
  for await (const more of bytes) {
    waiting = waiting.length === 0 ? Buffer.from(more) : Buffer.concat([waiting, more]);
    let from = 0;
    for (; waiting.length - from >= sealedChunkBytes; from += sealedChunkBytes)
      yield plainOf(waiting.subarray(from, from + sealedChunkBytes));
    waiting = waiting.subarray(from);
  }
  if (waiting.length > 0) yield plainOf(waiting);
  else if (size === 0) throw new Error('An encrypted file is not whole.');
}
