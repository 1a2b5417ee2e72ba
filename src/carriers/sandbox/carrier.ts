import { setTimeout as sleep } from 'node:timers/promises';
import type { Listener } from '../../platform/db/connect/listener.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { Observer } from '../../platform/observe/observer.ts';
import { isUserId, phoneDigits } from '../../platform/phone.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Foreground } from '../../platform/work/foreground.ts';
import type { Capabilities, Carrier } from '../ports/carriers.ts';
import type { OutboundMessage, Outcome } from '../ports/chat.ts';
import { behaviourOf, notAsked, notKept } from './chat/behaviours.ts';
import { management } from './chat/management.ts';
import { clockOf, followClocks } from './clock.ts';
import { type Fault, followFaults } from './faults.ts';
import { numberRanges } from './number-ranges.ts';
import { findTaken, keepTaken, type Taken } from './queries.ts';
import { startReporting } from './report.ts';
import { makeSandboxSms } from './sms/sms.ts';
import { makeVoiceTime } from './voice/time.ts';
import { makeSandboxVoice } from './voice/voice.ts';

export interface SandboxDeps {
  db: Db;
  listener: Listener;
  clock: Clock;
  log: Log;
  foreground: Foreground;
  observer: Pick<Observer, 'setAside'>;
}

/** The carrier that needs no account and no network: any number answers, as its last digits say (`behaviours.ts`). */
export function makeSandbox({ db, listener, clock, log, observer, foreground }: SandboxDeps): Carrier & Capabilities {
  let reporting: { wake(): void; stop(): Promise<void> } | undefined;
  // In every process, also in those that never call `start`: they are asked for the time.
  const clocks = followClocks({
    db,
    listener,
    clock,
    log,
    onMoved() {
      reporting?.wake();
      time.moved();
    },
  });
  const time = makeVoiceTime({
    nowMs: (accountId) => clockFor(accountId).now().getTime(),
    speed: (accountId) => clocks.get(accountId)?.speed ?? 1,
  });
  const faults = followFaults(db, listener);
  const clockFor = (accountId: string): Clock => clockOf(clocks, accountId, clock);

  return {
    name: 'sandbox',
    adoptsUnknown: true,
    clock: clockFor,
    numberRanges,
    chat: {
      enforcesWindow: false,
      pairRate: null,
      senderSettings: { ids: [], secrets: [] },
      ...management(db, clock),
      // The phone at the other end is one of the console's.
      chatLink: (number, text) => {
        const phone = isUserId(number) ? number : `+${phoneDigits(number)}`;
        return `/console/phone/${encodeURIComponent(phone)}${text && `?text=${encodeURIComponent(text)}`}`;
      },
      // The person sees it on the phone: the message itself says so.
      markRead: async () => {},
      async send({ accountId }, messages) {
        const waiting = await faults.next(accountId, messages.length);
        if (!waiting) return messages.map(() => notAsked);
        if (waiting.some(({ breaks }) => breaks)) throw new Error('The sandbox breaks down, as it was asked to.');
        const taken: Taken[] = [];
        const outcomes = messages.map((message, index) => {
          const answer = answerTo(message, waiting[index]);
          if (answer.taken)
            taken.push({ message, id: answer.id, dueAt: firstDue(message, clockFor(message.accountId)) });
          return answer.outcome;
        });
        if (!(await keepTaken(db, log, taken))) return messages.map(() => notKept);
        const delays = [...waiting, ...messages.map(({ toNumber }) => behaviourOf(toNumber))];
        const delayMs = Math.max(...delays.map(({ answerDelayMs = 0 }) => answerDelayMs));
        if (delayMs > 0) await sleep(delayMs);
        reporting?.wake();
        return outcomes;
      },
      async find(accountId, uuids) {
        const found = new Map(uuids.map((uuid) => [uuid, 'absent']));
        for (const row of await findTaken(db, accountId, uuids)) found.set(row.message, row.id);
        return found;
      },
    },
    sms: makeSandboxSms({ db, log, clock, clockFor, faults, wake: () => reporting?.wake() }),
    voice: makeSandboxVoice({ db, listener, clock, log, time, clocks, faults }),
    async start(inbox) {
      await clocks.read();
      reporting = startReporting({ db, listener, clock, log, observer, clocks, foreground, inbox });
    },
    async stop() {
      await reporting?.stop();
    },
  };
}

function answerTo(message: OutboundMessage, fault?: Fault): { outcome: Outcome; taken: boolean; id: string } {
  const rule = fault?.answer ? fault : behaviourOf(message.toNumber);
  const refusal = rule.answer?.(message.attempt);
  const id = newId();
  return {
    id,
    outcome: refusal ?? { kind: 'accepted', carrierMessageId: id },
    taken: !refusal || rule.takenAnyway === true,
  };
}

function firstDue(message: OutboundMessage, clock: Clock): Date | null {
  const [first] = behaviourOf(message.toNumber).steps;
  return first ? new Date(clock.now().getTime() + first.afterMs) : null;
}
