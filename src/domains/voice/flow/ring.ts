import type { DialOutcome, OutboundLeg } from '../../../carriers/ports/voice.ts';
import { international } from '../../../platform/phone.ts';
import { phoneReader } from '../../accounts/index.ts';
import { type LiveCall, note, nowOf, step } from '../calls/call.ts';
import { findAllowed, isSipAddress } from './allowed.ts';

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
    call.rangMs += nowOf(call).getTime() - since;
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
