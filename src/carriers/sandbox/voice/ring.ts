import type { DialOutcome, DialRequest, LegEnd } from '../../ports/voice.ts';
import type { Fault } from '../faults.ts';
import { ordinaryEnd } from '../hands/hands.ts';
import type { Holds } from '../hands/holds.ts';
import { usualForCalls, type VoiceBehaviour, voiceBehaviourOf } from './behaviours.ts';
import type { SandboxLeg } from './leg.ts';
import type { VoiceTime } from './time.ts';

export interface RingDeps {
  time: VoiceTime;
  faults: { next(accountId: string, count: number): Promise<Fault[] | undefined> };
  holds: Holds;
}

const broken: LegEnd = { by: 'network', code: 408, description: 'The connection broke.' };
const unanswered = { kind: 'unanswered', code: 480, description: 'Nobody answered' } as const;
const cancelled = { kind: 'cancelled', code: 487, description: 'Cancelled' } as const;

/** Rings a phone. Whoever holds it decides; else what happens is what the number's last digits say. */
export async function ring(leg: SandboxLeg, request: DialRequest, deps: RingDeps): Promise<DialOutcome> {
  const { accountId, to, timeoutMs } = request;
  const { time, faults, holds } = deps;
  let sinceMs = time.now(accountId);
  const giveUpAtMs = sinceMs + timeoutMs;
  const [fault] = (await faults.next(accountId, 1).catch(() => undefined)) ?? [];
  const behaviour = withFault(voiceBehaviourOf(to), fault);
  // A network that fails does so whoever holds the phone.
  if (!refuses(fault) && (await holds.isHeld(accountId, to))) {
    await ringInHand(leg, giveUpAtMs, deps);
    sinceMs = time.now(accountId);
  }

  const decided = AbortSignal.any([leg.over, leg.picked]);
  const dueMs = sinceMs + behaviour.afterMs;
  // What is due is due from when it began to ring, also where the clock went on meanwhile.
  await time.wait(accountId, Math.min(dueMs, giveUpAtMs) - time.now(accountId), decided);
  if (leg.over.aborted) return outcomeOf(await leg.ended);
  if (leg.picked.aborted) {
    void holds.letGo(accountId, to, leg.over).then(() => hangUpAfter(leg, behaviour, time));
    return { kind: 'answered' };
  }
  const outcome = dueMs <= giveUpAtMs ? behaviour.outcome : unanswered;
  if (outcome.kind !== 'answered') {
    const { code, description } = outcome;
    leg.end({ by: outcome === unanswered ? 'us' : 'peer', code, description });
    return outcome;
  }
  leg.pickUp();
  void hangUpAfter(leg, behaviour, time);
  return outcome;
}

/** Until the person does something, lets go of the phone, or the caller gives up. */
async function ringInHand(leg: SandboxLeg, giveUpAtMs: number, { time, holds }: RingDeps): Promise<void> {
  const { accountId, phone } = leg.phone;
  const through = new AbortController();
  const signal = AbortSignal.any([leg.over, leg.picked, through.signal]);
  const patience = time.wait(accountId, giveUpAtMs - time.now(accountId), signal);
  await Promise.race([patience, holds.letGo(accountId, phone, signal)]);
  through.abort();
}

/** Declined by hand, or not wanted any more by whoever called. */
const outcomeOf = ({ by, code, description }: LegEnd): DialOutcome =>
  by === 'peer' ? { kind: 'refused', code, description } : cancelled;

async function hangUpAfter(leg: SandboxLeg, behaviour: VoiceBehaviour, time: VoiceTime): Promise<void> {
  // One who would not have answered does as most do.
  const { talksMs = Number.POSITIVE_INFINITY, breaks } =
    behaviour.outcome.kind === 'answered' ? behaviour : usualForCalls;
  await time.wait(leg.phone.accountId, talksMs, leg.over);
  leg.end(breaks ? broken : ordinaryEnd);
}

const refuses = (fault: Fault | undefined): boolean => fault?.breaks === true || fault?.answer?.(1) !== undefined;

/** Faults are those of messages; a call has its own ways to go wrong. */
function withFault(behaviour: VoiceBehaviour, fault: Fault | undefined): VoiceBehaviour {
  if (!fault) return behaviour;
  if (!refuses(fault)) return { ...behaviour, afterMs: behaviour.afterMs + (fault.answerDelayMs ?? 0) };
  const outcome =
    fault.answer?.(1)?.kind === 'rejected'
      ? ({ kind: 'refused', code: 603, description: 'Decline' } as const)
      : ({ kind: 'unreachable', code: 503, description: 'Service unavailable' } as const);
  return { ...behaviour, afterMs: 0, outcome };
}
