import { createHash } from 'node:crypto';

/** Numbers that only look random: the same seed gives the same ones. */
export interface Random {
  /** For whoever wants a generator of its own. */
  readonly seed: number;
  /** From 0 up to, not including, `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  bytes(length: number): Buffer;
}

/** The randomness of one case, which can be had again without running those before it. */
export function randomFor(seed: number, surface: string, number: number): Random {
  let state = createHash('sha256').update(`${seed} ${surface} ${number}`).digest().readUInt32BE(0);
  const first = state;
  // mulberry32: small, fast, and good enough to break things with.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    seed: first,
    below,
    chance: (probability) => next() < probability,
    pick: (choices) => choices[below(choices.length)]!,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}

const interesting = [0x00, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x3a, 0x3b, 0x3c, 0x3e, 0x40, 0x7f, 0x80, 0xc3, 0xff];

/** The octets with a few changes: flipped bits, telling octets, pieces dropped, doubled, moved, or the end cut off. */
export function mutate(random: Random, octets: Buffer): Buffer {
  let changed = Buffer.from(octets);
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const at = random.below(changed.length + 1);
    const to = Math.min(changed.length, at + 1 + random.below(16));
    const [before, piece, after] = [changed.subarray(0, at), changed.subarray(at, to), changed.subarray(to)];
    switch (random.below(7)) {
      case 0:
        if (at < changed.length) changed[at]! ^= 1 << random.below(8);
        break;
      case 1:
        if (at < changed.length) changed[at] = random.pick(interesting);
        break;
      case 2:
        changed = Buffer.concat([before, after]);
        break;
      case 3:
        changed = Buffer.concat([before, piece, piece, after]);
        break;
      case 4:
        changed = Buffer.concat([before, random.bytes(1 + random.below(32)), after]);
        break;
      case 5:
        changed = Buffer.concat([before, ...Array.from({ length: 200 }, () => piece), after]);
        break;
      default:
        changed = Buffer.from(before);
    }
    if (changed.length > 60_000) changed = changed.subarray(0, 60_000);
  }
  return changed;
}

/** Texts that are wrong almost anywhere, for parts of addresses and for headers. */
export const oddTexts = [
  '',
  ' ',
  '%00',
  '%',
  '%zz',
  '%f0%28%8c%28',
  '..',
  '../../etc/passwd',
  '0',
  '-1',
  '1e9',
  '99999999999999999999',
  'null',
  'true',
  'infinity',
  '2026-02-30',
  '9999-12-31T23:59:59Z',
  '275760-09-13T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  "'; --",
  '{{x}}',
  '+44 7700 900123',
  '%D0%BF%D1%80%D0%B8%D0%B2%D0%B5%D1%82',
  'x'.repeat(5_000),
  '%41'.repeat(2_000),
  '__proto__',
  'constructor',
];
