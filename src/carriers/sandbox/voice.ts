import type { Clock } from '../../platform/clock.ts';
import type { Listener } from '../../platform/db/listener.ts';
import type { Db } from '../../platform/db/pool.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import type {
  DialOutcome,
  DialRequest,
  InboundLeg,
  Leg,
  LegEnd,
  OnCall,
  OutboundLeg,
  VoiceEngine,
} from '../port.voice.ts';
import { insertLeg, type PersonCall, takeCallsAnyAccount } from './calls-queries.ts';
import type { Fault } from './faults.ts';
import { type VoiceBehaviour, voiceBehaviourOf } from './voice-behaviours.ts';
import { type LegStory, makeLeg, type Phone, type SandboxLeg } from './voice-leg.ts';
import { record } from './voice-record.ts';
import type { VoiceTime } from './voice-time.ts';

export interface SandboxVoiceDeps {
  db: Db;
  listener: Listener;
  clock: Clock;
  log: Log;
  time: VoiceTime;
  faults: { next(accountId: string, count: number): Promise<Fault[]> };
}

export interface SandboxVoice extends VoiceEngine {
  /** Brings in the calls that people make; any process that does so gets some of them. */
  listen(onCall: OnCall): { stop(): Promise<void> };
}

export const callsTopic = 'sandbox-calls';
const lookPauseMs = 1000;
const ordinaryEnd: LegEnd = { by: 'peer', code: 200, description: '' };
const broken: LegEnd = { by: 'network', code: 408, description: 'The connection broke.' };
const unanswered = { kind: 'unanswered', code: 480, description: 'Nobody answered' } as const;

/** Calls without a network: anybody answers, as the last digits of their number say (`voice-behaviours.ts`). */
export function makeSandboxVoice({ db, listener, clock, log, time, faults }: SandboxVoiceDeps): SandboxVoice {
  const legs = new Set<SandboxLeg>();
  const stories = new Set<Promise<void>>();
  const since = clock.now();

  const newLeg = (phone: Phone): SandboxLeg => {
    const leg = makeLeg(phone, time, (story) => {
      legs.delete(leg);
      tell(story);
    });
    legs.add(leg);
    return leg;
  };
  const tell = (story: LegStory): void => {
    const told = insertLeg(db, story)
      .catch((error) => log.warn({ err: error }, 'The story of a phone in the sandbox is lost'))
      .finally(() => stories.delete(told));
    stories.add(told);
  };

  return {
    name: 'sandbox',
    clock: (accountId) => ({ now: () => new Date(time.now(accountId)) }),
    wait: (accountId, ms, signal) => time.wait(accountId, ms, signal),
    dial: (request) => {
      const leg = newLeg(phoneOf(request));
      return { ...leg, outcome: ring(leg, request, { time, faults }) } satisfies OutboundLeg;
    },
    async bridge(one, other) {
      const [first, second] = [sandboxLegOf(one), sandboxLegOf(other)];
      const stops = [first.hear('talk'), second.hear('talk')];
      await Promise.race([first.ended, second.ended]);
      for (const stop of stops) stop();
    },
    record: (some, options) => record(some.map(sandboxLegOf), options, time),
    canDial: async () => true,
    async status(accountId) {
      const calls = [...legs].filter(({ phone }) => phone.accountId === accountId).length;
      return [{ name: 'sandbox', state: 'UP', since, calls, lastError: '', latencyMs: null }];
    },
    problem: async () => null,
    async close() {
      await Promise.all([...legs].map((leg) => leg.hangUp()));
      await Promise.all(stories);
    },
    listen(onCall) {
      const loop = startLoop(log, 'sandbox calls', async () => {
        const calls = await takeCallsAnyAccount(db);
        for (const call of calls) void begin(call, onCall);
        return lookPauseMs;
      });
      listener.on(callsTopic, () => loop.wake());
      return loop;
    },
  };

  async function begin(call: PersonCall, onCall: OnCall): Promise<void> {
    const { accountId, uuid, from, to, digits, hangUpAfterMs } = call;
    const leg = newLeg({
      accountId,
      uuid,
      direction: 'INBOUND',
      phone: from,
      other: to,
      digits: digits === '' ? [] : digits.split(','),
      speaksMs: voiceBehaviourOf(from).speaksMs,
    });
    void time.wait(accountId, hangUpAfterMs, leg.over).then(() => leg.end(ordinaryEnd));
    const inbound: InboundLeg = {
      ...leg,
      answer: async () => leg.pickUp(),
      reject: async (code) => leg.end({ by: 'us', code, description: '' }),
    };
    await onCall({ carrier: 'sandbox', accountId, uuid, from, to, leg: inbound, at: new Date(time.now(accountId)) });
  }
}

const phoneOf = ({ accountId, from, to }: DialRequest): Phone => ({
  accountId,
  uuid: newId(),
  direction: 'OUTBOUND',
  phone: to,
  other: from,
  digits: [],
  speaksMs: undefined,
});

/** Legs of this engine carry more than the port asks for. */
const sandboxLegOf = (leg: Leg): SandboxLeg => leg as SandboxLeg;

async function ring(
  leg: SandboxLeg,
  { accountId, to, timeoutMs }: DialRequest,
  { time, faults }: Pick<SandboxVoiceDeps, 'time' | 'faults'>,
): Promise<DialOutcome> {
  const [fault] = await faults.next(accountId, 1).catch(() => []);
  const behaviour = withFault(voiceBehaviourOf(to), fault);
  const outcome = behaviour.afterMs <= timeoutMs ? behaviour.outcome : unanswered;
  await time.wait(accountId, Math.min(behaviour.afterMs, timeoutMs), leg.over);
  if (leg.over.aborted) return { kind: 'cancelled', code: 487, description: 'Cancelled' };
  if (outcome.kind !== 'answered') {
    const { code, description } = outcome;
    leg.end({ by: outcome === unanswered ? 'us' : 'peer', code, description });
    return outcome;
  }
  leg.pickUp();
  const { talksMs = Number.POSITIVE_INFINITY, breaks } = behaviour;
  void time.wait(accountId, talksMs, leg.over).then(() => leg.end(breaks ? broken : ordinaryEnd));
  return outcome;
}

/** Faults are those of messages; a call has its own ways to go wrong. */
function withFault(behaviour: VoiceBehaviour, fault: Fault | undefined): VoiceBehaviour {
  if (!fault) return behaviour;
  const refusal = fault.answer?.(1);
  if (!refusal && !fault.breaks) return { ...behaviour, afterMs: behaviour.afterMs + (fault.answerDelayMs ?? 0) };
  const outcome =
    refusal?.kind === 'rejected'
      ? ({ kind: 'refused', code: 603, description: 'Decline' } as const)
      : ({ kind: 'unreachable', code: 503, description: 'Service unavailable' } as const);
  return { ...behaviour, afterMs: 0, outcome };
}
