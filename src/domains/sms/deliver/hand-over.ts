import type { CarrierSms, OutboundSms, SmsOutcome } from '../../../carriers/ports/sms.ts';
import type { Deps } from '../../../deps.ts';
import { isUnreadable, unreadableRetry } from '../../../platform/content/content.ts';
import { segmentText } from '../../../platform/sms-text/index.ts';
import { findOptedOutNow } from '../../optouts/index.ts';
import {
  answersOf,
  handOver,
  type NotLeft,
  optedOutCode,
  optedOutDescription,
  priorities,
} from '../../outbox/index.ts';
import { addressFor } from '../addresses.ts';
import { findLink } from '../links/links.ts';
import { findTaken } from '../receive/part-queries.ts';
import type { Claimed, WaitingLink } from './queue.ts';

/** SMS that this process has claimed for a link and must now hand over. */
export interface Batch {
  link: WaitingLink;
  /** The number of the claim. */
  claim: number;
  claimed: Claimed[];
  now: Date;
  notLeft?: NotLeft;
  /** For SMS of the fast path, which have no states yet: is told when they have, or that nobody here will write them. */
  inHand?: { written(): void; letGo(): void };
}

/** Gives claimed SMS to the carrier, except those that must not leave; see `handOver` for what it throws. */
export const handOverSms = (deps: Deps, sms: CarrierSms, batch: Batch): Promise<SmsOutcome[]> =>
  handOver<Claimed, SmsOutcome>(deps, batch.claimed, {
    name: 'SMS',
    findBlocked: () => findBlocked(deps, batch),
    send: (leaving) => send(deps, sms, { ...batch, claimed: leaving }),
    unready: (retry) => ({ ...retry, parts: [] }),
  });

/** The SMS whose text cannot be decrypted, which have expired, and whose recipients opted out after they were accepted. */
async function findBlocked(deps: Deps, { link, claimed, now }: Batch): Promise<Map<Claimed, SmsOutcome>> {
  const recipients = claimed.map((sms) => ({
    accountId: link.account_id,
    digits: sms.to_digits,
    answeredAt: sms.priority === priorities.own ? now : undefined,
    sms,
  }));
  const outcomes = new Map<Claimed, SmsOutcome>();
  for (const { sms } of await findOptedOutNow(deps, recipients, 'SMS')) outcomes.set(sms, optedOut);
  for (const sms of claimed)
    if (isUnreadable(sms.text)) outcomes.set(sms, { ...unreadableRetry, parts: [] });
    else if (sms.expires_at && Date.parse(sms.expires_at) <= now.getTime()) outcomes.set(sms, expired);
  return outcomes;
}

const refused = (code: string, description: string): SmsOutcome => ({ kind: 'rejected', parts: [], code, description });
const optedOut = refused(optedOutCode, optedOutDescription);
const expired = refused('expired', 'It expired before it could leave.');

async function send(deps: Deps, sms: CarrierSms, { link, claimed }: Batch): Promise<SmsOutcome[]> {
  const leavesBy = await findLink(deps, link.account_id, link.uuid);
  if (!leavesBy) throw new Error('The link is gone.');
  const again = claimed.filter(({ attempts }) => attempts > 1).map(({ uuid }) => uuid);
  const taken = await findTaken(deps.db, link.account_id, again);
  const messages = claimed.map((one) => outbound(link.account_id, one, taken.get(one.uuid) ?? new Set()));
  return answersOf(deps, link.carrier, sms.send(leavesBy, messages), (unknown) =>
    messages.map((): SmsOutcome => ({ ...unknown, parts: [] })),
  );
}

const outbound = (accountId: string, sms: Claimed, partsTaken: ReadonlySet<number>): OutboundSms => ({
  accountId,
  uuid: sms.uuid,
  from: addressFor(sms.from_number, sms.from_digits),
  to: addressFor(sms.to_number, sms.to_digits),
  encoding: sms.encoding as OutboundSms['encoding'],
  // The replacements of smart encoding were made when it was accepted.
  segments: sms.segments === 1 ? [sms.text] : segmentText(sms.text).segments,
  partsTaken,
  expiresAt: sms.expires_at === null ? null : new Date(sms.expires_at),
  attempt: sms.attempts,
});
