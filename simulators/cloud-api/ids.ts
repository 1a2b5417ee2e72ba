/** The platform's kinds of names for things. All are opaque to its clients. */
export interface Ids {
  /** Sixteen digits: accounts, numbers, templates, media, flows. Below 2^53, because webhooks print some as numbers. */
  object(): string;
  /** `wamid.` and base64, which holds the other party, the direction and a key. */
  message(party: string, direction: 'in' | 'out'): string;
  /** A business-scoped user id: country, dot, digits. */
  user(country: string): string;
  /** Names one answer in the platform's own logs. */
  trace(): string;
  token(length: number): string;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function makeIds(random: Random): Ids {
  let count = 0;
  const pick = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
  return {
    object: () => `1${pick('0123456789', 8)}${String(++count).padStart(7, '0')}`,
    message(party, direction) {
      const key = (++count).toString(16).padStart(8, '0') + pick('0123456789ABCDEF', 12);
      const bytes = [0x1d, 0x18, party.length, ...Buffer.from(party), 0x15, direction === 'out' ? 2 : 0, 0x11, 0x18];
      return `wamid.${Buffer.concat([Buffer.from(bytes), Buffer.from(`\x14${key.toUpperCase()}\0`)]).toString('base64')}`;
    },
    user: (country) => `${country}.${pick('123456789', 1)}${pick('0123456789', 14)}`,
    trace: () => `A${pick(letters, 22)}`,
    token: (length) => pick(letters, length),
  };
}

/** Numbers in [0, 1) that a seed decides (mulberry32), so that a run with random faults can be repeated. */
export type Random = () => number;

export function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
