import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(scrypt) as (
  password: string,
  salt: Buffer,
  length: number,
  options: object,
) => Promise<Buffer>;

/** RFC 7914 parameters. */
interface Cost {
  N: number;
  r: number;
  p: number;
}

export interface Passwords {
  /** A salted hash of a password, self-describing so that the cost can be raised later. */
  hash(password: string): Promise<string>;
  /** The same for a password of random bytes, made by us: it takes an eighth of the time, until somebody signs in with it. */
  hashRandom(password: string): Promise<string>;
  /** Whether the hash is to be made anew with the usual cost, now that the password is at hand. */
  isOutdated(stored: string): boolean;
  /**
   * Whether it is the password of that hash; without one it is not. All costs are paid in any case: the time tells neither whether
   * there is such a hash nor how old it is.
   */
  matches(password: string, stored: string | undefined): Promise<boolean>;
}

export interface PasswordCosts {
  usual: Cost;
  light: Cost;
}

export const passwordCosts: PasswordCosts = {
  /** 128 MiB of memory and more than half a second, so that a stolen table of hashes is slow to try. */
  usual: { N: 2 ** 17, r: 8, p: 1 },
  /** What hashes were made with before. For a secret of random bytes it is enough: nobody can try them all. */
  light: { N: 2 ** 14, r: 8, p: 1 },
};

export function makePasswords({ usual, light }: PasswordCosts): Passwords {
  return {
    hash: (password) => hashWith(usual, password),
    hashRandom: (password) => hashWith(light, password),
    isOutdated: (stored) => !stored.startsWith(prefixOf(usual)),
    async matches(password, stored) {
      for (const cost of [usual, light]) {
        if (!stored?.startsWith(prefixOf(cost))) await deriveWith(cost, password, decoySalt, 32);
      }
      if (stored === undefined) return false;
      const [, N, r, p, salt = '', key = ''] = stored.split('$');
      const expected = Buffer.from(key, 'base64');
      const cost = { N: Number(N), r: Number(r), p: Number(p) };
      return timingSafeEqual(await deriveWith(cost, password, Buffer.from(salt, 'base64'), expected.length), expected);
    },
  };
}

const decoySalt = Buffer.alloc(16);

async function hashWith(cost: Cost, password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await deriveWith(cost, password, salt, 32);
  return `${prefixOf(cost)}${salt.toString('base64')}$${key.toString('base64')}`;
}

const prefixOf = ({ N, r, p }: Cost): string => `scrypt$${N}$${r}$${p}$`;

const deriveWith = (cost: Cost, password: string, salt: Buffer, length: number): Promise<Buffer> =>
  derive(password, salt, length, { ...cost, maxmem: 256 * cost.N * cost.r });
