import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from 'node:crypto';

/** A bearer secret: 40 hexadecimal characters, 160 random bits. */
export const newToken = (): string => randomBytes(20).toString('hex');

/** What is stored of a token. It is random and long, so one round of SHA-256 is enough and can be looked up by index. */
export const tokenHash = (token: string): string => hash('sha256', token, 'hex');

/** Encrypts stored carrier secrets with AES-256-GCM under a key derived from SECRET_KEY. */
export interface Vault {
  /** The same for the same content in every process, and not to be found out without the key: 64 hexadecimal digits. */
  digest(content: string | Buffer): string;
  seal(plain: string): string;
  /** Throws `Unreadable` where it was sealed with another key. */
  open(sealed: string): string;
}

/** A stored secret was sealed with another SECRET_KEY. Whatever needs it cannot do without; everything else can. */
export class Unreadable extends Error {
  override name = 'Unreadable';
  constructor() {
    super('A stored secret cannot be decrypted with this SECRET_KEY. Set it anew.');
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
      try {
        const bytes = Buffer.from(sealed.slice(3), 'base64');
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
        decipher.setAuthTag(bytes.subarray(12, 28));
        return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw new Unreadable();
      }
    },
  };
}
