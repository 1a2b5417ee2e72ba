import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Listener } from '../../platform/db/listener.ts';
import type { Db } from '../../platform/db/pool.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { Carrier, OutboundMessage, Outcome } from '../port.ts';
import { behaviourOf } from './behaviours.ts';
import { type ClockSetting, clockOf, clockTopic, readClocksAnyAccount } from './clock.ts';
import { numberRanges } from './number-ranges.ts';
import { findTaken, insertTaken, type Taken } from './queries.ts';
import { startReporting } from './report.ts';

export interface SandboxDeps {
  db: Db;
  listener: Listener;
  clock: Clock;
  log: Log;
}

/** The carrier that needs no account and no network: any number answers, as its last digits say (`behaviours.ts`). */
export function makeSandbox({ db, listener, clock, log }: SandboxDeps): Carrier {
  let clocks = new Map<string, ClockSetting>();
  let reporting: { wake(): void; stop(): Promise<void> } | undefined;
  const readClocks = async (): Promise<void> => {
    clocks = await readClocksAnyAccount(db);
    reporting?.wake();
  };
  listener.on(
    clockTopic,
    () => void readClocks().catch((error) => log.warn({ error }, 'The sandbox clocks could not be read')),
  );
  const clockFor = (accountId: string): Clock => clockOf(() => clocks, accountId, clock);

  return {
    name: 'sandbox',
    adoptsUnknown: true,
    clock: clockFor,
    numberRanges: () => numberRanges,
    async send(messages) {
      const taken: Taken[] = [];
      const outcomes = messages.map((message) => {
        const answer = answerTo(message);
        if (answer.taken) taken.push({ message, id: answer.id, dueAt: firstDue(message, clockFor(message.accountId)) });
        return answer.outcome;
      });
      if (taken.length > 0) await insertTaken(db, taken);
      const delayMs = Math.max(...messages.map((message) => behaviourOf(message.toNumber).answerDelayMs ?? 0));
      if (delayMs > 0) await sleep(delayMs);
      reporting?.wake();
      return outcomes;
    },
    async find(accountId, uuids) {
      const found = new Map(uuids.map((uuid) => [uuid, 'absent']));
      for (const row of await findTaken(db, accountId, uuids)) found.set(row.message, row.id);
      return found;
    },
    async start(inbox) {
      await readClocks();
      reporting = startReporting({ db, clock, log, clocks: () => clocks, inbox });
    },
    async stop() {
      await reporting?.stop();
    },
    problem: async () => null,
  };
}

function answerTo(message: OutboundMessage): { outcome: Outcome; taken: boolean; id: string } {
  const behaviour = behaviourOf(message.toNumber);
  const refusal = behaviour.answer?.(message.attempt);
  const id = newId();
  return {
    id,
    outcome: refusal ?? { kind: 'accepted', carrierMessageId: id },
    taken: !refusal || behaviour.takenAnyway === true,
  };
}

function firstDue(message: OutboundMessage, clock: Clock): Date | null {
  const [first] = behaviourOf(message.toNumber).steps;
  return first ? new Date(clock.now().getTime() + first.afterMs) : null;
}
