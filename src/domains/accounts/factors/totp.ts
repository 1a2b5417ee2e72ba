import { Secret, TOTP } from 'otpauth';

/** RFC 6238 as authenticator apps expect it: SHA-1, six digits, thirty seconds. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Clocks of phones may be off by one step. */
const window = 1;

/** A new secret of 160 bits, in base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** What the QR code of an authenticator app says. */
export const totpUrl = (secret: string, { issuer, username }: { issuer: string; username: string }): string =>
  new TOTP({ ...form, issuer, label: username, secret: Secret.fromBase32(secret) }).toString();

/** The time step whose code this is; undefined: of none that counts now. */
export function stepOf(secret: string, code: string, nowMs: number): number | undefined {
  const delta = new TOTP({ ...form, secret: Secret.fromBase32(secret) }).validate({
    token: code,
    timestamp: nowMs,
    window,
  });
  return delta === null ? undefined : Math.floor(nowMs / 1000 / form.period) + delta;
}
