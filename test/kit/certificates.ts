// Certificates for tests, made as they are needed: X.509 in DER (RFC 5280), signed with ECDSA on P-256.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

export interface TestCertificate {
  cert: string;
  key: string;
}

export interface TestAuthority extends TestCertificate {
  /** A certificate for these names and addresses, of a server or a client. */
  issue(names: string[], options?: { days?: number }): TestCertificate;
}

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size =
    length < 128
      ? Buffer.of(length)
      : length < 256
        ? Buffer.of(0x81, length)
        : Buffer.of(0x82, length >> 8, length & 255);
  return Buffer.concat([Buffer.of(tag), size, body]);
};
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const boolean = der(0x01, Buffer.of(0xff));
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const nameOf = (text: string): Buffer => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));
/** GeneralizedTime, to the second. */
const timeOf = (date: Date): Buffer => der(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, '')));
const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
  sequence(oid(id), ...(isCritical ? [boolean] : []), der(0x04, value));

const alternative = (name: string): Buffer =>
  isIP(name) === 0
    ? der(0x82, Buffer.from(name))
    : isIP(name) === 4
      ? der(0x87, Buffer.from(name.split('.').map(Number)))
      : der(0x87, Buffer.from([...new Uint8Array(15), 1]));

interface Contents {
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  signedWith: KeyObject;
  days: number;
  extensions: Buffer[];
}

function make({ subject, issuer, publicKey, signedWith, days, extensions }: Contents): string {
  const day = 86_400_000;
  const from = Math.min(Date.now() - day, Date.now() + (days - 1) * day);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(timeOf(new Date(from)), timeOf(new Date(Date.now() + days * day))),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(0x03, Buffer.of(0), sign('sha256', body, signedWith));
  const base64 = sequence(body, ecdsaWithSha256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)!.join('\n')}\n-----END CERTIFICATE-----\n`;
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** An authority of a test's own, which signs what is asked for. */
export function makeAuthority(name = 'Authority of tests'): TestAuthority {
  const own = newKeys();
  const authority = extension('551d13', sequence(boolean), true);
  const cert = make({
    subject: name,
    issuer: name,
    publicKey: own.publicKey,
    signedWith: own.privateKey,
    days: 30,
    extensions: [authority],
  });
  return {
    cert,
    key: pemOf(own.privateKey),
    issue(names, { days = 30 } = {}) {
      const { publicKey, privateKey } = newKeys();
      const extensions = [
        extension('551d13', sequence(), true),
        extension('551d11', sequence(...names.map(alternative))),
      ];
      const issued = make({
        subject: names[0]!,
        issuer: name,
        publicKey,
        signedWith: own.privateKey,
        days,
        extensions,
      });
      return { cert: issued, key: pemOf(privateKey) };
    },
  };
}
