import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(scrypt) as (
  password: string,
  salt: Buffer,
  length: number,
  options: object,
) => Promise<Buffer>;

/** RFC 7914 parameters: 16 MiB of memory and about 65 ms, so that a stolen table of hashes is slow to try. */
const cost = { N: 16384, r: 8, p: 1 };

/** A salted hash of a password, self-describing so that the cost can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, 32, cost);
  return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64')}$${key.toString('base64')}`;
}

export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const [, n, r, p, salt = '', key = ''] = stored.split('$');
  const expected = Buffer.from(key, 'base64');
  const options = { N: Number(n), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, 'base64'), expected.length, options);
  return timingSafeEqual(actual, expected);
}

/** A bearer secret: 40 hexadecimal characters, 160 random bits. */
export const newToken = (): string => randomBytes(20).toString('hex');

/** What is stored of a token. It is random and long, so one round of SHA-256 is enough and can be looked up by index. */
export const tokenHash = (token: string): string => hash('sha256', token, 'hex');

/** Encrypts stored carrier secrets with AES-256-GCM under a key derived from SECRET_KEY. */
export interface Vault {
  /** The same for the same content in every process, and not to be found out without the key: 64 hexadecimal digits. */
  digest(content: string | Buffer): string;
  seal(plain: string): string;
  open(sealed: string): string;
}

export function makeVault(secretKey: string): Vault {
  const key = hash('sha256', `parley vault v1\n${secretKey}`, 'buffer');
  const digestKey = hash('sha256', `parley digest v1\n${secretKey}`, 'buffer');
  return {
    digest: (content) => createHmac('sha256', digestKey).update(content).digest('hex'),
    seal(plain) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `v1:${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`;
    },
    open(sealed) {
      const bytes = Buffer.from(sealed.slice(3), 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
