import { createSign, generateKeyPairSync, hash, type KeyObject, randomBytes } from 'node:crypto';

/** An authenticator with one passkey, as WebAuthn (level 3, 6) describes it: ES256, no attestation. */
export interface Authenticator {
  create(options: { challenge: string; rp: { id?: string } }, changes?: Changes): object;
  get(options: { challenge: string; rpId?: string }, changes?: Changes): object;
}

/** What a browser or an authenticator that means no good would say instead. */
export interface Changes {
  origin?: string;
  challenge?: string;
  isVerified?: boolean;
  counter?: number;
}

export function makeAuthenticator(usualOrigin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  let uses = 0;

  const clientData = (type: string, challenge: string, { origin = usualOrigin, ...changes }: Changes) =>
    Buffer.from(JSON.stringify({ type, challenge: changes.challenge ?? challenge, origin, crossOrigin: false }));
  const credential = (response: Record<string, Buffer>) => ({
    id: credentialId.toString('base64url'),
    rawId: credentialId.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])),
  });
  const head = (rpId: string, flags: number, { isVerified = true, counter = ++uses }: Changes) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const bits = Buffer.from([flags | present | (isVerified ? verified : 0)]);
    return Buffer.concat([hash('sha256', rpId, 'buffer'), bits, count]);
  };

  return {
    create({ challenge, rp }, changes = {}) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const authData = Buffer.concat([
        head(rp.id ?? '', hasKey, changes),
        Buffer.alloc(16),
        length,
        credentialId,
        coseOf(publicKey),
      ]);
      return credential({
        clientDataJSON: clientData('webauthn.create', challenge, changes),
        attestationObject: cbor(
          new Map<string, unknown>([
            ['fmt', 'none'],
            ['attStmt', new Map()],
            ['authData', authData],
          ]),
        ),
      });
    },
    get({ challenge, rpId = '' }, changes = {}) {
      const clientDataJSON = clientData('webauthn.get', challenge, changes);
      const authenticatorData = head(rpId, 0, changes);
      const signed = Buffer.concat([authenticatorData, hash('sha256', clientDataJSON, 'buffer')]);
      const signature = createSign('sha256').update(signed).sign(privateKey);
      return credential({ clientDataJSON, authenticatorData, signature });
    },
  };
}

/** The flags UP, UV and AT (6.1). */
const present = 1;
const verified = 4;
const hasKey = 64;

/** RFC 9053: EC2, ES256, P-256. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const at = (text: string) => Buffer.from(text, 'base64url');
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, at(x)],
      [-3, at(y)],
    ]),
  );
}

/** As much of RFC 8949 as is needed here. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  const map = value as Map<unknown, unknown>;
  return Buffer.concat([cborHead(5, map.size), ...[...map].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

function cborHead(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  return size < 256 ? Buffer.from([(major << 5) | 24, size]) : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
}
