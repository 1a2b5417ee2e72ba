import type { SmsOutcome, TakenPart } from '../../ports/sms.ts';
import { FieldError, type PduOf, Status, statusName } from '../codec/index.ts';
import { Closed, Nacked } from '../errors.ts';

/** Why a part, and so its message, was not taken. */
type Refusal =
  | { kind: 'rejected'; code: string; description: string }
  | { kind: 'retry'; description: string; afterMs?: number; slowsLink?: boolean }
  | { kind: 'unknown'; description: string };

type Outcome = { kind: 'taken'; id: string } | Refusal;

/** How the submission of one part ended. */
export type PartOutcome = Outcome & { part: number };

/** Too much at once. It is not about the message. */
const slowing: ReadonlySet<number> = new Set([Status.RTHROTTLED, Status.RMSGQFUL]);
const slowMs = 1_000;

/** What another attempt may get past: the centre's own trouble, and a bind that was not there at that moment. */
const passing: ReadonlySet<number> = new Set([
  Status.RSYSERR,
  Status.RINVBNDSTS,
  Status.RSUBMITFAIL,
  Status.RX_T_APPN,
  Status.RX_R_APPN,
  Status.RDELIVERYFAILURE,
  Status.RUNKNOWNERR,
  Status.RSERTYPUNAVAIL,
]);

/** What people can act on; everything else keeps the specification's name. */
const sentences = new Map<number, string>([
  [Status.RINVMSGLEN, 'The carrier finds the message too long.'],
  [Status.RINVSRCADR, 'The carrier does not accept this sender.'],
  [Status.RINVSRCTON, 'The carrier does not accept this sender.'],
  [Status.RINVSRCNPI, 'The carrier does not accept this sender.'],
  [Status.RINVDSTADR, 'The carrier does not accept this recipient.'],
  [Status.RINVDSTTON, 'The carrier does not accept this recipient.'],
  [Status.RINVDSTNPI, 'The carrier does not accept this recipient.'],
  [Status.RINVEXPIRY, 'The carrier does not accept the validity period.'],
  [Status.RPROHIBITED, 'The carrier does not allow this message.'],
  [Status.RTHROTTLED, 'The carrier asks for fewer messages.'],
  [Status.RMSGQFUL, "The carrier's queue is full."],
  [Status.RSYSERR, 'The carrier has a problem of its own.'],
  [Status.RSUBMITFAIL, 'The carrier could not take the message.'],
]);

export function outcomeOfAnswer({ status, message_id: id }: PduOf<'submit_sm_resp'>): Outcome {
  if (status !== 0) return outcomeOfStatus(status);
  // The centre took the part, but without an id no receipt can be matched to it.
  return id === '' ? { kind: 'unknown', description: 'The carrier gave the message no id.' } : { kind: 'taken', id };
}

function outcomeOfStatus(status: number): Refusal {
  const code = statusName(status);
  const description = sentences.get(status) ?? `The carrier refused the message with ${code}.`;
  if (slowing.has(status)) return { kind: 'retry', description, afterMs: slowMs, slowsLink: true };
  return passing.has(status) ? { kind: 'retry', description } : { kind: 'rejected', code, description };
}

/** An answer that did not come, or was none. */
export function outcomeOfError(error: unknown): Refusal {
  const { message: description } = error as Error;
  if (error instanceof FieldError) return { kind: 'rejected', code: `invalid_${error.field}`, description };
  // A generic_nack: it did not get as far as being a message.
  if (error instanceof Nacked) return outcomeOfStatus(error.status);
  if (error instanceof Closed && !error.sent) return { kind: 'retry', description };
  return { kind: 'unknown', description };
}

/** The outcome of a message from those of its parts: a permanent refusal rejects it; an unknown part forbids another attempt. */
export function outcomeOfParts(total: number, outcomes: readonly PartOutcome[]): SmsOutcome {
  const parts: TakenPart[] = [];
  const refusals: (Refusal & { part: number })[] = [];
  for (const one of outcomes) {
    if (one.kind === 'taken') parts.push({ part: one.part, id: one.id });
    else refusals.push(one);
  }
  if (refusals.length === 0) return { kind: 'accepted', parts };
  const { part, ...worst } = refusals.reduce((worst, other) => (weight(other) > weight(worst) ? other : worst));
  const description = total === 1 ? worst.description : `Part ${part} of ${total}: ${worst.description}`;
  return { ...worst, description, parts };
}

/** Of several that may be tried again, the one that speaks for the whole link counts. */
function weight(refusal: Refusal): number {
  if (refusal.kind === 'retry') return refusal.slowsLink ? 1 : 0;
  return refusal.kind === 'unknown' ? 2 : 3;
}
