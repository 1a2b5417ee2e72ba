import { randomBytes } from 'node:crypto';
import { hmacSha256 } from '../../../platform/ciphers.ts';
import { Unreadable, type Vault } from '../../../platform/secrets.ts';
import type { Waiting } from './queue.ts';

/** Standard Webhooks 1.0: symmetric signatures (https://www.standardwebhooks.com). */

const prefix = 'whsec_';

/** 32 random bytes; the specification asks for 24 to 64. */
export const newSecret = (): string => prefix + randomBytes(32).toString('base64');

/** How long a replaced secret still signs. */
export const overlapMs = 24 * 3_600_000;

/** The secrets that sign at this moment: the current one, and after a rotation the one before it. */
export const secretsAt = ({ secret, previous_secret, previous_secret_until }: Waiting, now: Date): string[] =>
  previous_secret !== null && previous_secret_until !== null && Date.parse(previous_secret_until) > now.getTime()
    ? [secret, previous_secret]
    : [secret];

/** After a rotation, one that can be read is enough. */
export function openedOf(vault: Pick<Vault, 'open'>, sealed: string[]): string[] {
  const opened = sealed.flatMap((one) => {
    try {
      return [vault.open(one)];
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return [];
    }
  });
  if (opened.length === 0) throw new Error('Its secret cannot be decrypted with this SECRET_KEY. Rotate it.');
  return opened;
}

export interface Envelope {
  id: string;
  /** Of this attempt, in seconds: receivers refuse old ones, so that nobody can replay what they overheard. */
  timestampSeconds: number;
  body: string;
}

/** The headers of one attempt, signed with every secret that is valid now: the receiver accepts any of them. */
export function signedHeaders({ id, timestampSeconds, body }: Envelope, secrets: string[]): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${hmacSha256(key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
