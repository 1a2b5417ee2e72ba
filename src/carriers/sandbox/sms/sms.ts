import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { newId } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { CarrierSms, OutboundSms, SmsOutcome, TakenPart } from '../../ports/sms.ts';
import { noSuchNumber, notAsked, notAUser, notKept, type Refusal } from '../chat/behaviours.ts';
import type { Fault } from '../faults.ts';
import { findTaken, keepTaken, smsType, type Taken } from '../queries.ts';
import { smsBehaviourOf } from './behaviours.ts';
import { makeSmsCounts } from './counts.ts';

export interface SandboxSmsDeps {
  db: Db;
  log: Log;
  clock: Clock;
  clockFor(accountId: string): Clock;
  faults: { next(accountId: string, count: number): Promise<Fault[] | undefined> };
  /** There is something new to report. */
  wake(): void;
}

/** SMS without a network: any number takes them, as its last digits say (`behaviours.ts`). */
export function makeSandboxSms({ db, log, clock, clockFor, faults, wake }: SandboxSmsDeps): CarrierSms {
  const counts = makeSmsCounts(clock);

  async function take(accountId: string, messages: OutboundSms[]): Promise<SmsOutcome[]> {
    const waiting = await faults.next(accountId, messages.length);
    if (!waiting) return messages.map(() => ({ ...notAsked, parts: [] }));
    if (waiting.some(({ breaks }) => breaks)) return messages.map(() => brokenDown);
    const taken: Taken[] = [];
    const outcomes = messages.map((message, index) => {
      const { outcome, row } = answerTo(message, waiting[index], clockFor(accountId));
      if (row) taken.push(row);
      return outcome;
    });
    if (!(await keepTaken(db, log, taken))) return messages.map(() => ({ ...notKept, parts: [] }));
    const delays = [...waiting, ...messages.map(({ to }) => smsBehaviourOf(to))];
    const delayMs = Math.max(...delays.map(({ answerDelayMs = 0 }) => answerDelayMs));
    if (delayMs > 0) await sleep(delayMs);
    wake();
    return outcomes;
  }

  return {
    isUp: () => true,
    room: () => Number.POSITIVE_INFINITY,
    async send({ accountId, uuid }, messages) {
      const outcomes = await take(accountId, messages);
      counts.add(accountId, uuid, outcomes);
      return outcomes;
    },
    find: (accountId, uuids) => findTakenSms(db, accountId, uuids),
    report: ({ uuid }) => counts.report(uuid),
    usedLately: () => counts.lately(),
  };
}

const brokenDown: SmsOutcome = { kind: 'retry', description: 'The carrier broke down.', parts: [] };

function answerTo(message: OutboundSms, fault: Fault | undefined, clock: Clock) {
  const behaviour = smsBehaviourOf(message.to);
  const rule = fault?.answer ? fault : behaviour;
  const refusal = rule.answer?.(message.attempt);
  const content = contentOf(message);
  const id = newId();
  const parts = content.parts.map((part) => ({ part, id: partId(id, part) }));
  const outcome: SmsOutcome = refusal ? { ...asSms(refusal), parts: [] } : { kind: 'accepted', parts };
  const [first] = behaviour.steps;
  const dueAt = first ? new Date(clock.now().getTime() + first.afterMs) : null;
  return { outcome, row: !refusal || rule.takenAnyway ? rowOf(message, content, id, dueAt) : undefined };
}

/** Faults are worded for the chat app. */
function asSms(refusal: Refusal) {
  if (refusal === notAUser) return noSuchNumber;
  if (refusal.kind !== 'retry') return refusal;
  const { slowsSender, ...rest } = refusal;
  return slowsSender ? { ...rest, slowsLink: true } : rest;
}

const rowOf = (message: OutboundSms, content: TakenSms, id: string, dueAt: Date | null): Taken => ({
  message: {
    accountId: message.accountId,
    uuid: message.uuid,
    senderNumber: message.from,
    toNumber: message.to,
    type: smsType,
    content: { ...content },
  },
  id,
  dueAt,
});

/** What the sandbox keeps of an SMS that it took. */
export interface TakenSms {
  text: string;
  /** Those that were handed over at that time. */
  parts: number[];
  expires_at: string | null;
}

export const partId = (id: string, part: number): string => `${id}:${part}`;

const contentOf = ({ segments, partsTaken, expiresAt }: OutboundSms): TakenSms => {
  const missing = segments.flatMap((text, index) => (partsTaken.has(index + 1) ? [] : [{ text, part: index + 1 }]));
  return {
    text: missing.map(({ text }) => text).join(''),
    parts: missing.map(({ part }) => part),
    expires_at: expiresAt?.toISOString() ?? null,
  };
};

async function findTakenSms(db: Db, accountId: string, uuids: string[]): Promise<Map<string, TakenPart[]>> {
  const found = new Map<string, TakenPart[]>(uuids.map((uuid) => [uuid, []]));
  for (const { message, id, content } of await findTaken(db, accountId, uuids)) {
    const { parts } = content as unknown as TakenSms;
    found.get(message)!.push(...parts.map((part) => ({ part, id: partId(id, part) })));
  }
  return found;
}
