import type { Listener } from '../../../platform/db/connect/listener.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { newId } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/work/loop.ts';
import type { CarrierVoice, DialRequest, InboundLeg, Leg, OnCall, OutboundLeg } from '../../ports/voice.ts';
import type { Clocks } from '../clock.ts';
import type { Fault } from '../faults.ts';
import { ordinaryEnd, startHands } from '../hands/hands.ts';
import { followHolds } from '../hands/holds.ts';
import { voiceBehaviourOf } from './behaviours.ts';
import { makeJournal } from './journal.ts';
import { makeLeg, type Phone, type SandboxLeg } from './leg.ts';
import { type PersonCall, takeCallsAnyAccount } from './queries.ts';
import { record } from './record.ts';
import { ring } from './ring.ts';
import type { VoiceTime } from './time.ts';

export interface SandboxVoiceDeps {
  db: Db;
  listener: Listener;
  clock: Clock;
  log: Log;
  time: VoiceTime;
  clocks: Pick<Clocks, 'catchUp'>;
  faults: { next(accountId: string, count: number): Promise<Fault[] | undefined> };
}

export const callsTopic = 'sandbox-calls';
const lookPauseMs = 1000;
/** When a person hangs up who did not say when. */
export const usualHangUpSeconds = 60;

/**
 * Calls without a network: anybody answers, as the last digits of their number say (`behaviours.ts`), or as whoever holds
 * their phone decides.
 */
export function makeSandboxVoice({ db, listener, clock, log, time, clocks, faults }: SandboxVoiceDeps): CarrierVoice {
  const legs = new Map<string, SandboxLeg>();
  const journal = makeJournal({ db, log, time, workerNumber: listener.workerNumber });
  const holds = followHolds({ db, listener, log });
  const since = clock.now();

  const isOnThePhone = (accountId: string): boolean => {
    for (const { phone } of legs.values()) if (phone.accountId === accountId) return true;
    return false;
  };

  const newLeg = (phone: Phone): SandboxLeg => {
    if (!isOnThePhone(phone.accountId)) time.skipAhead(phone.accountId);
    const leg = makeLeg(phone, time, journal.note);
    legs.set(phone.uuid, leg);
    void leg.ended.then(() => legs.delete(phone.uuid));
    journal.note(leg);
    return leg;
  };

  return {
    clock: (accountId) => ({ now: () => new Date(time.now(accountId)) }),
    wait: (accountId, ms, signal) => time.wait(accountId, ms, signal),
    dial: (request) => {
      const leg = newLeg(phoneOf(request));
      return { ...leg, outcome: ring(leg, request, { time, faults, holds }) } satisfies OutboundLeg;
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
      const calls = [...legs.values()].filter(({ phone }) => phone.accountId === accountId).length;
      return [{ name: 'sandbox', state: 'UP', since, calls, lastError: '', latencyMs: null }];
    },
    async close() {
      await Promise.all([...legs.values()].map((leg) => leg.hangUp()));
      await journal.settled();
    },
    // The calls that people make; any process that listens gets some of them.
    listen(onCall) {
      const hands = startHands({ db, listener, log, journal, clocks, legs });
      const takeCalls = async (): Promise<number> => {
        const calls = await takeCallsAnyAccount(db);
        for (const call of calls) void begin(call, onCall);
        return lookPauseMs;
      };
      const watch = listener.poll.watch('exists (select 1 from sandbox_calls)');
      const loop = startLoop(log, 'sandbox calls', takeCalls, { watch });
      listener.on(callsTopic, () => loop.wake());
      return { stop: async () => void (await Promise.all([loop.stop(), hands.stop()])) };
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
      // Who has the phone in their hand says themselves when they are done.
      speaksMs: hangUpAfterMs === null ? undefined : voiceBehaviourOf(from).speaksMs,
    });
    void hangUpLater(leg, hangUpAfterMs);
    const inbound: InboundLeg = {
      ...leg,
      answer: async () => leg.pickUp(),
      reject: async (code) => leg.end({ by: 'us', code, description: '' }),
    };
    time.begin(accountId);
    await onCall({ carrier: 'sandbox', accountId, uuid, from, to, leg: inbound, at: new Date(time.now(accountId)) });
  }

  async function hangUpLater(leg: SandboxLeg, afterMs: number | null): Promise<void> {
    const { accountId, phone } = leg.phone;
    if (afterMs === null) await holds.letGo(accountId, phone, leg.over);
    await time.wait(accountId, afterMs ?? usualHangUpSeconds * 1000, leg.over);
    leg.end(ordinaryEnd);
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
