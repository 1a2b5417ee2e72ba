// Passwords that are tried first wherever somebody guesses: those that leaked most often. Kept as a Bloom filter, which knows all of them
// and takes one in two thousand others for one.
import { createHash } from 'node:crypto';
import { filter } from './common-passwords-filter.ts';

/** How many bits are set for each password; with 16 bits of room each, 11 err least. */
const hashes = 11;

/** The bits of a password in a filter of that size (Kirsch and Mitzenmacher: two hashes do for all). */
export function bitsOf(password: string, size: number): number[] {
  const digest = createHash('sha256').update(password).digest();
  const [first, second] = [digest.readUInt32BE(0), digest.readUInt32BE(4)];
  return Array.from({ length: hashes }, (_, place) => (first + place * second) % size);
}

let bytes: Buffer | undefined;

/** Whether it is one of the common ones, in any case, or one of them with digits or signs at its end. */
export function isCommonPassword(password: string): boolean {
  bytes ??= Buffer.from(filter, 'base64');
  const known = bytes;
  const plain = password.toLowerCase();
  const bare = plain.replace(/[^\p{L}]+$/u, '');
  return [plain, ...(bare.length >= 5 && bare !== plain ? [bare] : [])].some((text) =>
    bitsOf(text, known.length * 8).every((bit) => (known[bit >> 3]! >> (bit & 7)) & 1),
  );
}
