import type { CarrierSms, OutboundSms, SmsOutcome } from '../../carriers/ports/sms.ts';
import type { Deps } from '../../deps.ts';
import { isDatabaseAway, isDatabaseError } from '../../platform/db/failure.ts';
import { AnswerMissed } from '../../platform/hands.ts';
import { segmentText } from '../../platform/sms-text/index.ts';
import { findOptedOutNow } from '../optouts/index.ts';
import { addressKey } from './addresses.ts';
import { findLink } from './links.ts';
import { findTaken } from './part-queries.ts';
import type { Claimed, WaitingLink } from './queue.ts';

/** SMS that a link has claimed in this process and that must now be seen through. */
export interface Batch {
  link: WaitingLink;
  /** The number of the claim. */
  claim: number;
  claimed: Claimed[];
  now: Date;
  /** Of what came the straight way, and has no states yet: hears when it has, or that nobody here will see to that. */
  straight?: { written(): void; letGo(): void };
}

/**
 * Gives claimed SMS to the carrier, but for those that must not leave. Throws `AnswerMissed` alone: when our own failure kept the
 * answer from us.
 */
export async function handOver(deps: Deps, sms: CarrierSms, batch: Batch): Promise<SmsOutcome[]> {
  const { claimed } = batch;
  try {
    const outcomes = await findHeldBack(deps, batch);
    const leaving = claimed.filter((sms) => !outcomes.has(sms));
    const answers = leaving.length === 0 ? [] : await send(deps, sms, { ...batch, claimed: leaving });
    leaving.forEach((sms, index) => {
      outcomes.set(sms, answers[index]!);
    });
    return claimed.map((sms) => outcomes.get(sms)!);
  } catch (error) {
    if (error instanceof AnswerMissed) throw error;
    // Nothing was given to the carrier yet.
    deps.log.warn({ err: error }, 'SMS could not be made ready to leave');
    const description = 'It could not be made ready to leave.';
    const isOutage = isDatabaseAway(error);
    return claimed.map(() => ({ kind: 'retry', parts: [], description, afterMs: 1000, isOutage }));
  }
}

/** Whose time is over, and whose recipients opted out since they were accepted. */
async function findHeldBack({ db }: Deps, { link, claimed, now }: Batch): Promise<Map<Claimed, SmsOutcome>> {
  const recipients = claimed.map((sms) => ({
    accountId: link.account_id,
    digits: addressKey(sms.to_number),
    answeredAt: sms.priority === 0 ? now : undefined,
    sms,
  }));
  const outcomes = new Map<Claimed, SmsOutcome>();
  for (const { sms } of await findOptedOutNow(db, recipients, 'SMS')) outcomes.set(sms, optedOut);
  for (const sms of claimed)
    if (sms.expires_at && Date.parse(sms.expires_at) <= now.getTime()) outcomes.set(sms, expired);
  return outcomes;
}

const refused = (code: string, description: string): SmsOutcome => ({ kind: 'rejected', parts: [], code, description });
/** Of what is held back because the recipient has opted out since. */
export const optedOutCode = 'recipient_opted_out';
const optedOut = refused(optedOutCode, 'The recipient has opted out.');
const expired = refused('expired', 'It expired before it could leave.');

async function send(deps: Deps, sms: CarrierSms, { link, claimed }: Batch): Promise<SmsOutcome[]> {
  const way = await findLink(deps, link.account_id, link.uuid);
  if (!way) throw new Error('The link is gone.');
  const again = claimed.filter(({ attempts }) => attempts > 1).map(({ uuid }) => uuid);
  const taken = await findTaken(deps.db, link.account_id, again);
  const messages = claimed.map((one) => outbound(link.account_id, one, taken.get(one.uuid) ?? new Set()));
  // A carrier that breaks down may have taken them or not.
  return sms.send(way, messages).catch((error: Error) => {
    if (isDatabaseError(error)) throw new AnswerMissed('The database failed during a hand-over.', { cause: error });
    deps.log.error({ err: error, carrier: link.carrier }, 'A carrier broke down during a hand-over');
    const description = 'The carrier broke down during the hand-over.';
    return messages.map(() => ({ kind: 'unknown', parts: [], description }));
  });
}

const outbound = (accountId: string, sms: Claimed, partsTaken: ReadonlySet<number>): OutboundSms => ({
  accountId,
  uuid: sms.uuid,
  from: sms.from_number,
  to: sms.to_number,
  encoding: sms.encoding as OutboundSms['encoding'],
  // The replacements of smart encoding were made when it was accepted.
  segments: sms.segments === 1 ? [sms.text] : segmentText(sms.text).segments,
  partsTaken,
  expiresAt: sms.expires_at === null ? null : new Date(sms.expires_at),
  attempt: sms.attempts,
});
