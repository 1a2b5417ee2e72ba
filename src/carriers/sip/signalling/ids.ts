import { randomFillSync } from 'node:crypto';

// Drawn 4 KiB at a time: a drawing costs more than the octets.
const pool = Buffer.allocUnsafe(4096);
let used = pool.length;

/** What a stranger would have to guess to end somebody's call: random, and long. */
function randomHex(octets: number): string {
  if (used + octets > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += octets;
  return pool.toString('hex', used - octets, used);
}

export const newTag = (): string => randomHex(8);
export const newBranch = (): string => `z9hG4bK${randomHex(12)}`;
export const newCallId = (host: string): string => `${randomHex(16)}@${host}`;
