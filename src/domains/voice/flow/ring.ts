import type { DialOutcome, OutboundLeg } from '../../../carriers/ports/voice.ts';
import { international } from '../../../platform/phone.ts';
import { phoneReader } from '../../accounts/index.ts';
import { findCalledNumber } from '../../numbers/index.ts';
import { heedSafeguards, noteRefusal, type Sending } from '../../safeguards/index.ts';
import { type LiveCall, msSince, note, nowOf, step } from '../calls/call.ts';

export interface Ringing {
  numbers: string[];
  seconds: number;
  /** What the people called see, if not our number. */
  shows?: string;
}

export interface Answered {
  leg: OutboundLeg;
  to: string;
}

/** Nobody answered: what each of them did. */
export type Outcomes = Exclude<DialOutcome, { kind: 'answered' }>[];

export const usualRingSeconds = 25;
const mostAtOnce = 10;

/**
 * Rings several numbers at once. Who answers first is connected, the others' phones fall silent; so they do when the caller
 * hangs up.
 */
export async function ring(call: LiveCall, { numbers, seconds, shows }: Ringing): Promise<Answered | Outcomes> {
  const { deps, voice, accountId, row } = call;
  const read = await phoneReader(deps, accountId);
  const rung = await findAllowed(call, numbers.slice(0, mostAtOnce), read);
  if (rung.length === 0)
    return [{ kind: 'refused', code: 403, description: 'The safeguards of this account refused it' }];
  note(call, 'call.ringing', { to: rung, seconds });
  const since = nowOf(call).getTime();
  const legs = rung.map((to) => {
    const own = international(row.number_digits);
    const leg = voice.dial({
      accountId,
      from: shows ?? own,
      to: isSipAddress(to) ? to : international(read(to)),
      timeoutMs: seconds * 1000,
      ...(shows !== undefined && { onBehalfOf: own }),
    });
    call.others.add(leg);
    void leg.ended.then(() => call.others.delete(leg));
    return { leg, to };
  });
  let answered: Answered | undefined;
  try {
    const { first, outcomes } = await step(call, firstToAnswer(legs));
    answered = first;
    for (const { to, outcome } of outcomes) {
      note(call, 'call.not_answered', { to, outcome: outcome.kind, code: outcome.code });
    }
    return answered ?? outcomes.map(({ outcome }) => outcome);
  } finally {
    call.rangMs += msSince(call, since);
    await Promise.all(legs.filter(({ leg }) => leg !== answered?.leg).map(({ leg }) => leg.hangUp()));
  }
}

type Refused = { to: string; outcome: Outcomes[number] };

/** The first of them, or nobody when all have given up; and what those did who gave up before. */
function firstToAnswer(legs: Answered[]): Promise<{ first?: Answered; outcomes: Refused[] }> {
  const outcomes: Refused[] = [];
  return new Promise((resolve) => {
    if (legs.length === 0) resolve({ outcomes });
    for (const one of legs) {
      const failed = (error: Error) => ({ kind: 'unreachable' as const, code: 503, description: error.message });
      void one.leg.outcome.catch(failed).then((outcome) => {
        if (outcome.kind === 'answered') resolve({ first: one, outcomes: [...outcomes] });
        else if (outcomes.push({ to: one.to, outcome }) === legs.length) resolve({ outcomes });
      });
    }
  });
}

/** How often a call is followed from one number of the account to the next. */
const mostHops = 10;

export const isSipAddress = (to: string): boolean => /^sips?:/i.test(to);

/** The numbers that a call may be forwarded to: those that the safeguards allow, and that do not lead back to the number it came to. */
export async function findAllowed(
  call: LiveCall,
  numbers: string[],
  read: (number: string) => string,
): Promise<string[]> {
  const { deps, accountId, row } = call;
  const sendings = numbers
    .filter((to) => !isSipAddress(to))
    .map((to): Sending & { to: string } => ({
      accountId,
      channel: 'VOICE',
      senderKey: row.number_digits,
      digits: read(to),
      units: 1,
      to,
    }));
  const refused = new Map<string, string>();
  for (const sending of sendings) {
    if (!(await leadsBack(call, sending.digits, read))) continue;
    noteRefusal(deps, sending, { rule: 'FORWARDING_LOOP', subject: row.number_digits }, deps.clock.now());
    refused.set(sending.to, 'It leads back to the number that was called.');
  }
  const left = sendings.filter(({ to }) => !refused.has(to));
  for (const [{ to }, error] of await heedSafeguards(deps, left)) refused.set(to, error.message);
  for (const [to, description] of refused) {
    note(call, 'call.not_answered', { to, outcome: 'refused', code: 403, description });
  }
  return numbers.filter((to) => !refused.has(to));
}

/** Whether a number of the account is forwarded, from one to the next, to the one that was called. */
async function leadsBack(call: LiveCall, digits: string, read: (number: string) => string): Promise<boolean> {
  const { deps, accountId, row } = call;
  // Only calls that came in can come in again.
  if (row.direction !== 'INBOUND') return false;
  let at = digits;
  for (let hops = 0; hops < mostHops; hops++) {
    if (at === row.number_digits) return true;
    const number = await findCalledNumber(deps.db, accountId, at);
    if (!number || number.target_number === '' || isSipAddress(number.target_number)) return false;
    at = read(number.target_number);
  }
  return true;
}
