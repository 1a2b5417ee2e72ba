import { hash, randomBytes } from 'node:crypto';
import { decrypting, encrypting, hmacSha256 } from './ciphers.ts';

/** A bearer secret: 40 hexadecimal characters, 160 random bits. */
export const newToken = (): string => randomBytes(20).toString('hex');

/** What is stored of a token. It is random and long, so one round of SHA-256 is enough and can be looked up by index. */
export const tokenHash = (token: string): string => hash('sha256', token, 'hex');

/** Encrypts stored secrets with AES-256-GCM under a data key, which the ring of SECRET_KEYS wraps. */
export interface Vault {
  /** The same for the same content in every process, and not to be found out without the key: 64 hexadecimal digits. */
  digest(content: string | Buffer): string;
  seal(plain: string): string;
  /** Throws `Unreadable` where it was sealed with another key. */
  open(sealed: string): string;
}

/** The data keys that a process knows. */
export interface DataKeys {
  /** By number; all that can be unwrapped. */
  seal: ReadonlyMap<number, Buffer>;
  /** The one to encrypt with; undefined: the first format, under a key of the ring, which earlier versions read, too. */
  current: number | undefined;
  digest: Buffer | undefined;
  /** The place in the ring of the key that the first format is written with. */
  first: number;
}

/** A vault whose data keys may change while it is used. */
export interface KeyedVault extends Vault {
  readonly ring: Ring;
  keys(): DataKeys;
  use(keys: DataKeys): void;
}

/** A stored secret was sealed with another SECRET_KEY. Whatever needs it cannot do without; everything else can. */
export class Unreadable extends Error {
  override name = 'Unreadable';
  constructor() {
    super('A stored secret cannot be decrypted with this SECRET_KEY. Enter the secret again.');
  }
}

/** Secrets that are stored together, by name; `isReadable` false: there are some, and none of them can be had. */
export function openSecrets(
  vault: Pick<Vault, 'open'>,
  sealed: string | null,
): { values: Record<string, string>; isReadable: boolean } {
  if (sealed === null) return { values: {}, isReadable: true };
  try {
    return { values: JSON.parse(vault.open(sealed)), isReadable: true };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { values: {}, isReadable: false };
  }
}

/** `v1:<bytes>` is sealed with a key of the ring itself, `v2:<number>:<bytes>` with the data key of that number. */
export function makeVault(secretKeys: string | readonly string[]): KeyedVault {
  const ring = ringOf(typeof secretKeys === 'string' ? [secretKeys] : secretKeys);
  let keys: DataKeys = { seal: new Map(), current: undefined, digest: undefined, first: 0 };
  return {
    ring,
    keys: () => keys,
    use(given) {
      keys = given;
    },
    digest: (content) =>
      hmacSha256(keys.digest ?? ring[keys.first]!.digestKey)
        .update(content)
        .digest('hex'),
    seal(plain) {
      const { current } = keys;
      const key = current === undefined ? undefined : keys.seal.get(current);
      if (!key) return `v1:${encrypt(ring[keys.first]!.sealKey, plain).toString('base64')}`;
      return `v2:${current}:${encrypt(key, plain, `v2:${current}`).toString('base64')}`;
    },
    open(sealed) {
      const { version, number, bytes } = partsOf(sealed);
      const known = version === 'v2' ? [keys.seal.get(number)] : ring.map(({ sealKey }) => sealKey);
      for (const key of known) {
        try {
          if (key) return decrypt(key, bytes, version === 'v2' ? `v2:${number}` : '').toString('utf8');
        } catch {
          // Another key's; the next may be the right one.
        }
      }
      throw new Unreadable();
    },
  };
}

function partsOf(sealed: string): { version: 'v1' | 'v2'; number: number; bytes: Buffer } {
  const [, number, text] = /^v2:(\d{1,9}):(.*)$/s.exec(sealed) ?? [];
  if (number === undefined) return { version: 'v1', number: 0, bytes: Buffer.from(sealed.slice(3), 'base64') };
  return { version: 'v2', number: Number(number), bytes: Buffer.from(text!, 'base64') };
}

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

function ringOf(texts: readonly [string, ...string[]] | readonly string[]): Ring {
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
  const cipher = encrypting(key, iv);
  if (bound !== '') cipher.setAAD(Buffer.from(bound));
  const body = Buffer.concat([
    typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain),
    cipher.final(),
  ]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** Throws where key, bytes or `bound` are not those it was encrypted with. */
export function decrypt(key: Buffer, bytes: Buffer, bound = ''): Buffer {
  const decipher = decrypting(key, bytes.subarray(0, 12));
  if (bound !== '') decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
}
