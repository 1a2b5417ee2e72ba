import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks 1.0: symmetric signatures (https://www.standardwebhooks.com). */

const prefix = 'whsec_';

/** 32 random bytes; the specification asks for 24 to 64. */
export const newSecret = (): string => prefix + randomBytes(32).toString('base64');

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
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
