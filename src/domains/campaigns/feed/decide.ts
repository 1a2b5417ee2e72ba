import type { Deps } from '../../../deps.ts';
import { newId } from '../../../platform/ids.ts';
import { international, phoneDigits } from '../../../platform/phone.ts';
import { nextAllowed, type QuietHours } from '../../../platform/time/quiet-hours.ts';
import { findAccount } from '../../accounts/index.ts';
import { timeZoneOf } from '../../numbers/index.ts';
import type { Contact, RecipientRow } from '../audience/queries.ts';
import type { CampaignFields } from '../schemas.ts';
import type { Composed } from './compose.ts';

/** Somebody of the audience; `contact` is missing when it was deleted meanwhile. */
export interface Candidate {
  contactId: string;
  /** undefined: deleted before the launch came to it. */
  digits: string | undefined;
  contact: Contact | undefined;
}

/** A message that is to be sent to a candidate. */
export interface Draft {
  uuid: string;
  candidate: Candidate;
  to: string;
  content: Composed['content'];
}

/** What is known of all candidates of a step before any is decided on. */
export interface Circumstances {
  now: Date;
  allowed: Allowed;
  /** Numbers that the launch has already reached. */
  known: ReadonlySet<string>;
  optedOut: ReadonlySet<string>;
  compose(person: Contact): Composed;
}

export const skipped = ({ contactId, digits }: Candidate, reason: string, description = ''): RecipientRow => ({
  // Each number has one row. A contact without a number, or with the number of another contact, gets a row by its id.
  digits: digits === undefined || reason === 'duplicate' ? contactId : digits,
  contact: contactId,
  state: 'SKIPPED',
  reason,
  description,
  due_at: null,
  message: null,
});

/** Decides about a candidate: a message, or a row that says why there is none, or none yet. */
export function decide(candidate: Candidate, circumstances: Circumstances): Draft | RecipientRow {
  const { contact, digits } = candidate;
  const { now, allowed, known, optedOut, compose } = circumstances;
  if (!contact || digits === undefined) return skipped(candidate, 'deleted');
  if (known.has(digits)) return skipped(candidate, 'duplicate');
  if (optedOut.has(digits)) return skipped(candidate, 'opted_out');
  const dueAt = allowed({ digits, time_zone: contact.time_zone }, now);
  if (dueAt > now) return { ...skipped(candidate, ''), state: 'HELD', due_at: dueAt.toISOString() };
  const { content, isTooLong } = compose(contact);
  if (isTooLong) return skipped(candidate, 'invalid', 'With its placeholders filled in, the text is too long.');
  return { uuid: newId(), candidate, to: numberOf(contact, digits), content };
}

/** As it was written, unless that leaves out the country. */
const numberOf = ({ phone_number }: Contact, digits: string): string =>
  phoneDigits(phone_number) === digits ? phone_number : international(digits);

/** When somebody may be written to. */
type Allowed = (person: { digits: string; time_zone: string }, now: Date) => Date;

/**
 * Makes the function that says when a person may be written to: by the time zone of the contact, else of the country of the number,
 * else of the account.
 */
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
