import { createCipheriv } from 'node:crypto';
import { type Suite, saltOctets, suites } from './suites.ts';

export interface SessionKeys {
  cipherKey: Buffer;
  salt: Buffer;
  authKey: Buffer;
}

const authKeyOctets = 20;
/** RFC 3711, 4.3.2. */
const labels = { cipherKey: 0, authKey: 1, salt: 2 } as const;

/** The keys of RTP packets, of a master key and its salt in Base64 (RFC 3711, 4.3; without renewals, as SDES has them). */
export function deriveKeys(suite: Suite, master: string): SessionKeys {
  const { cipher, keyOctets } = suites[suite];
  const octets = Buffer.from(master, 'base64');
  if (octets.length !== keyOctets + saltOctets)
    throw new Error(`A key of ${suite} has ${keyOctets + saltOctets} octets.`);
  const key = octets.subarray(0, keyOctets);
  const salt = octets.subarray(keyOctets);
  const derive = (label: number, length: number): Buffer => {
    // The salt, with the label in its eighth octet (the index is 0), and a counter of two octets behind it.
    const iv = Buffer.alloc(16);
    salt.copy(iv);
    iv[7]! ^= label;
    return createCipheriv(cipher, key, iv).update(Buffer.alloc(length));
  };
  return {
    cipherKey: derive(labels.cipherKey, keyOctets),
    authKey: derive(labels.authKey, authKeyOctets),
    salt: derive(labels.salt, saltOctets),
  };
}
