import { Secret, TOTP } from 'otpauth';
import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError, ValidationError } from '../../../platform/errors.ts';
import { throttled } from '../../../platform/http/access/gate.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import {
  type FactorChange,
  type FactorRow,
  findFactors,
  hasFactor,
  lockFactor,
  type Person,
  takeRecoveryCode,
  updateFactor,
} from './queries.ts';

/** What somebody gives beside a password. */
export interface Codes {
  otp?: string | undefined;
  recovery_code?: string | undefined;
}

/** Wrong codes in a row before the next has to wait; each further one doubles the wait. */
const freeFailures = 5;
const longestWaitSeconds = 900;

/** `none`: there is nothing to ask for. */
export type Checked = 'none' | 'passed' | 'wrong';

/**
 * Checks the second factor of somebody whose password was right. A code counts once. Wrong codes are counted for the user, wherever
 * they come from, one after the other: only whoever has the password can make somebody wait. The count is committed in any case.
 */
export async function checkCodes(deps: Deps, person: Person, codes: Codes): Promise<Checked> {
  const factors = await findFactors(deps.db, person);
  if (!hasFactor(factors)) return 'none';
  if (codes.otp === undefined && codes.recovery_code === undefined) {
    throw new ApiError(factors.totpConfirmed === null ? 'passkey_required' : 'otp_required');
  }
  return inTransaction(deps.db, async (db): Promise<Checked | ApiError> => {
    const row = await lockFactor(db, person);
    if (!row) return 'none';
    const nowMs = deps.clock.now().getTime();
    const waitMs = row.blocked_until === null ? 0 : Date.parse(row.blocked_until) - nowMs;
    if (waitMs > 0) return throttled(Math.ceil(waitMs / 1000));
    const good = await accept(db, deps, { person, row, codes, nowMs });
    if (!good) {
      await updateFactor(db, person, failureAfter(row.failures + 1, nowMs));
      return 'wrong';
    }
    await updateFactor(db, person, { ...good, failures: 0, blocked_until: null });
    return 'passed';
  }).then((checked) => {
    if (checked instanceof ApiError) throw checked;
    return checked;
  });
}

/** What is to be noted if the code is good. */
async function accept(
  db: Db,
  { vault }: Deps,
  { person, row, codes, nowMs }: { person: Person; row: FactorRow; codes: Codes; nowMs: number },
): Promise<FactorChange | undefined> {
  if (codes.otp === undefined) return (await takeRecoveryCode(db, person, codes.recovery_code ?? '')) ? {} : undefined;
  if (row.totp_secret === null || row.totp_confirmed === null) return undefined;
  const step = stepOf(vault.open(row.totp_secret), codes.otp, nowMs);
  // That of the same step, or of one before, was seen when it was typed.
  return step === undefined || step <= row.totp_step ? undefined : { totp_step: step };
}

function failureAfter(failures: number, nowMs: number): FactorChange {
  const waitSeconds = failures < freeFailures ? 0 : Math.min(longestWaitSeconds, 2 ** (failures - freeFailures));
  return { failures, blocked_until: waitSeconds === 0 ? null : timestamp(new Date(nowMs + waitSeconds * 1000)) };
}

/** What a wrong code is answered, by the field that it came in. */
export const wrongCode = ({ otp }: Codes): ValidationError =>
  otp === undefined
    ? new ValidationError({ recovery_code: ['This recovery code is wrong, or was used already.'] })
    : new ValidationError({ otp: ['This code is wrong, too old, or was used already.'] });

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
