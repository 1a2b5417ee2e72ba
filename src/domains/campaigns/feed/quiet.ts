import type { Deps } from '../../../deps.ts';
import { nextAllowed, type QuietHours } from '../../../platform/time/quiet-hours.ts';
import { findAccount } from '../../accounts/index.ts';
import { timeZoneOf } from '../../numbers/index.ts';
import type { CampaignFields } from '../schemas.ts';

/** When somebody may be written to. */
export type Allowed = (person: { digits: string; time_zone: string }, now: Date) => Date;

/** By the time of the contact, else of the country of the number, else of the account. */
export async function findAllowed(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  { quiet_hours }: Pick<CampaignFields, 'quiet_hours'>,
): Promise<{ allowed: Allowed; hasHours: boolean }> {
  const always = { allowed: (_: unknown, now: Date) => now, hasHours: false };
  if (quiet_hours === false) return always;
  const account = await findAccount(db, accountId);
  const hours = quiet_hours ?? (account.quiet_hours as QuietHours | null);
  if (!hours) return always;
  const allowed: Allowed = ({ digits, time_zone }, now) =>
    nextAllowed(now, hours, time_zone || timeZoneOf(digits) || account.time_zone);
  return { allowed, hasHours: true };
}
