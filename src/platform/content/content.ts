import type { DataKeys } from '../secrets.ts';
import {
  accountKey,
  isEnvelope,
  isSealedBytes,
  jsonMark,
  type KeyOf,
  openBytes,
  openText,
  type Sealing,
  sealBytes,
  sealText,
  textMark,
} from './envelope.ts';

/**
 * What people said, as it is stored: encrypted for the accounts that want it (`encrypt_content`), as it is for all others. Whoever writes
 * a column with content calls `text`, `json` or `bytes`; what is read is opened by the connections themselves (`pool.ts`).
 */
export interface Content {
  /** Whether content of this account is encrypted from now on. */
  isOn(accountId: string): boolean;
  /** Whether it was ever turned on, so that something encrypted may be there. */
  isKnown(accountId: string): boolean;
  /** For a column of the type `varchar`. */
  text(accountId: string, plain: string): string;
  /** JSON text for a column of the type `json`, of JSON text. */
  json(accountId: string, plain: string): string;
  /** The same of an object of which only these fields are encrypted, where it has any; the others stay readable for SQL. */
  fields(accountId: string, value: Record<string, unknown>, names: ReadonlySet<string>): string;
  /** The same with all fields encrypted but these. */
  fieldsBut(accountId: string, value: Record<string, unknown>, shown: ReadonlySet<string>): string;
  /** For a column of the type `bytea`. */
  bytes(accountId: string, plain: Buffer): Buffer;
  /** What connections read, as it was before. */
  openText(stored: string): string;
  openJson(stored: string): unknown;
  openBytes(stored: Buffer): Buffer;
  /** The key to encrypt with; undefined: there is no data key yet. */
  sealing(accountId: string): Sealing | undefined;
  keyOf: KeyOf;
}

/** What a process learns as it runs. */
export interface LearningContent extends Content {
  learnKeys(keys: () => DataKeys): void;
  /** By account: whether it is on. */
  learnAccounts(accounts: ReadonlyMap<string, boolean>): void;
}

/** In place of a text that no key opens. */
export const unreadable = '[unreadable]';

/** Whether what was read is what stands in place of something that no key opens. A process may learn of its key a moment later. */
export const isUnreadable = (value: unknown): boolean =>
  value === unreadable ||
  (Buffer.isBuffer(value) ? value.length === 0 : (value as { unreadable?: unknown } | null)?.unreadable === true);

export const unreadableRetry = {
  kind: 'retry',
  description: 'Its content cannot be decrypted with this SECRET_KEY.',
  afterMs: 5_000,
} as const;

const mostKeys = 5_000;

const isSealedText = (text: string): boolean => text.startsWith(textMark) && isEnvelope(text.slice(1));

export function makeContent(): LearningContent {
  let keys: (() => DataKeys) | undefined;
  let accounts: ReadonlyMap<string, boolean> = new Map();
  const derived = new Map<string, Buffer>();

  const keyOf: KeyOf = (number, accountId) => {
    const name = `${number}:${accountId}`;
    const known = derived.get(name);
    if (known) return known;
    const dataKey = keys?.().seal.get(number);
    if (!dataKey) return undefined;
    const key = accountKey(dataKey, accountId);
    if (derived.size >= mostKeys) derived.clear();
    derived.set(name, key);
    return key;
  };
  const sealing = (accountId: string): Sealing | undefined => {
    const number = keys?.().current;
    const key = number === undefined ? undefined : keyOf(number, accountId.toLowerCase());
    return key && { number: number!, accountId, key };
  };
  const isOn = (accountId: string): boolean => accounts.size > 0 && accounts.get(accountId) === true;
  const needed = (accountId: string): Sealing => {
    const found = sealing(accountId);
    if (!found) throw new Error('There is no data key to encrypt content with.');
    return found;
  };
  /** Without a data key nothing was ever encrypted that somebody could pass off as theirs. */
  const isForged = (plain: string | Buffer): boolean =>
    (typeof plain === 'string' ? isSealedText(plain) : isSealedBytes(plain)) && keys?.().current !== undefined;
  const envelopeOf = (accountId: string, fields: Record<string, unknown>, plain: string): string =>
    jsonMark + JSON.stringify({ ...fields, sealed: sealText(needed(accountId), plain) });
  const split = (accountId: string, value: Record<string, unknown>, isHidden: (name: string) => boolean): string => {
    if (!isOn(accountId) || !Object.keys(value).some(isHidden)) return JSON.stringify(value);
    const entries = Object.entries(value);
    const hidden = Object.fromEntries(entries.filter(([name]) => isHidden(name)));
    const shown = Object.fromEntries(entries.filter(([name]) => !isHidden(name)));
    return envelopeOf(accountId, shown, JSON.stringify(hidden));
  };

  return {
    isOn,
    isKnown: (accountId) => accounts.size > 0 && accounts.has(accountId),
    sealing,
    keyOf,
    learnKeys(given) {
      keys = given;
    },
    learnAccounts(given) {
      accounts = given;
    },
    text(accountId, plain) {
      if (isOn(accountId) ? plain === '' : !isForged(plain)) return plain;
      return textMark + sealText(needed(accountId), plain);
    },
    json: (accountId, plain) => (isOn(accountId) ? envelopeOf(accountId, {}, plain) : plain),
    fields: (accountId, value, names) => split(accountId, value, (name) => names.has(name)),
    fieldsBut: (accountId, value, shown) => split(accountId, value, (name) => !shown.has(name)),
    bytes(accountId, plain) {
      if (!isOn(accountId) && !isForged(plain)) return plain;
      return sealBytes(needed(accountId), plain);
    },
    openText: (stored) => (isSealedText(stored) ? (openText(keyOf, stored.slice(1)) ?? unreadable) : stored),
    openJson(stored) {
      const value: unknown = JSON.parse(stored);
      if (!stored.startsWith(jsonMark)) return value;
      const { sealed, ...shown } = value as { sealed: string };
      const plain = openText(keyOf, sealed);
      if (plain === undefined) return { ...shown, unreadable: true };
      const hidden: unknown = JSON.parse(plain);
      return Object.keys(shown).length === 0 ? hidden : { ...shown, ...(hidden as object) };
    },
    openBytes: (stored) => (isSealedBytes(stored) ? (openBytes(keyOf, stored) ?? Buffer.alloc(0)) : stored),
  };
}
