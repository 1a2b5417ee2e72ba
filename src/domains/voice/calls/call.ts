import { setTimeout as sleep } from 'node:timers/promises';
import type { CarrierVoice, InboundLeg, Leg, LegEnd } from '../../../carriers/ports/voice.ts';
import type { Deps } from '../../../deps.ts';
import { isDatabaseAway } from '../../../platform/db/connect/failure.ts';
import type { CalledNumber } from '../../numbers/index.ts';
import { appendEvents, type NewEvent } from '../../timeline/index.ts';
import type { CallChanges, CallRow } from '../queries.ts';
import { applyChange, type Told } from './change.ts';

/** A call that this process has the legs of. */
export interface LiveCall {
  readonly deps: Deps;
  readonly voice: CarrierVoice;
  readonly accountId: string;
  readonly uuid: string;
  /** As it is stored. */
  row: CallRow;
  /** Our number; undefined: the call is made from one that is not the account's. */
  readonly number: CalledNumber | undefined;
  /** The person without whom there is no call: who called, or who is called. */
  leg: Leg | undefined;
  /** Refuses a call that came in and was not answered yet. */
  readonly refuse?: (code: number) => Promise<void>;
  /** The others. */
  readonly others: Set<Leg>;
  /** Whether that person was answered, or has answered: only then is anything played. */
  isAnswered: boolean;
  /** Who asked us to end it. */
  endedFor: 'API' | 'PLATFORM' | undefined;
  rangMs: number;
  /** When the talk was over, where something had to be done after it. */
  endedMs: number | undefined;
  notes: string[];
  /** Steps that are not on the timeline yet, when they will be, and when those before them were. */
  noted: NewEvent[];
  noteTimer: NodeJS.Timeout | undefined;
  written: Promise<void>;
}

/** A call at its beginning. */
export const newLiveCall = (
  deps: Deps,
  voice: CarrierVoice,
  row: CallRow,
  number: CalledNumber | undefined,
): LiveCall & { leg: undefined } => ({
  deps,
  voice,
  accountId: row.account_id,
  uuid: row.uuid,
  row,
  number,
  leg: undefined,
  others: new Set(),
  isAnswered: false,
  endedFor: undefined,
  rangMs: 0,
  endedMs: undefined,
  notes: [],
  noted: [],
  noteTimer: undefined,
  written: Promise.resolve(),
});

/** How a call ended, as far as the recipe can tell. */
export interface Ending {
  result: 'ANSWERED' | 'MISSED' | 'ABANDONED' | 'BUSY' | 'VOICEMAIL' | 'REJECTED' | 'FAILED';
  by: 'CALLER' | 'CALLEE' | 'PLATFORM' | 'API' | 'NETWORK';
  code: number;
  description?: string;
}

/** The person is gone; whatever was still to be done with the call is not done. */
export class HungUp extends Error {
  override name = 'HungUp';
  readonly end: LegEnd;

  constructor(end: LegEnd) {
    super('The person hung up.');
    this.end = end;
  }
}

/** How a leg ended; undefined while it has not. */
export const endOf = (leg: Leg): Promise<LegEnd | undefined> =>
  Promise.race([leg.ended, Promise.resolve().then(() => undefined)]);

/** Waits for a step of the recipe, but no longer than the person does. */
export async function step<T>(call: LiveCall, work: Promise<T>): Promise<T> {
  const leg = call.leg!;
  const value = await Promise.race([work, leg.ended]);
  // A step that is through because the person is gone must not be taken for done.
  const end = await endOf(leg);
  if (end) throw new HungUp(end);
  return value as T;
}

/** Lets somebody hear ringing, until the returned function is called, once or more often. */
export function startRinging(leg: Leg): () => void {
  let stop: (() => void) | undefined = leg.playRinging();
  return () => {
    stop?.();
    stop = undefined;
  };
}

/** The time of the call. */
export const nowOf = ({ voice, accountId }: LiveCall): Date => voice.clock(accountId).now();

/** How long ago that was by the same time, which may have been set back meanwhile. */
export const msSince = (call: LiveCall, since: number): number => Math.max(0, nowOf(call).getTime() - since);

/** Steps wait so long for the next change of their call, with which they are written. */
const noteMs = 100;

/** Puts a step on the timeline, soon. */
export function note(call: LiveCall, kind: `call.${string}`, data: Record<string, unknown> = {}): void {
  call.noted.push(eventOf(call, kind, data));
  call.noteTimer ??= setTimeout(() => {
    call.written = write(call);
  }, noteMs);
}

async function write(call: LiveCall): Promise<void> {
  const { deps } = call;
  const noted = takeNoted(call);
  try {
    await deps.batches.run('voice.note', noted, async (items) => {
      await appendEvents(deps.db, items.flat());
      return items.map(() => ({ status: 'fulfilled', value: undefined }));
    });
  } catch (error) {
    deps.log.error({ err: error, call: call.uuid }, 'Steps of a call are not on its timeline');
  }
}

/** The steps that were not written yet: whoever asks writes them. */
export function takeNoted(call: LiveCall): NewEvent[] {
  clearTimeout(call.noteTimer);
  call.noteTimer = undefined;
  return call.noted.splice(0);
}

export const eventOf = (
  { accountId, uuid, row }: Pick<LiveCall, 'accountId' | 'uuid'> & { row: Pick<CallRow, 'number_digits'> },
  kind: string,
  data: Record<string, unknown>,
) => ({
  accountId,
  subjectType: 'call' as const,
  subject: uuid,
  kind,
  data: { number: `+${row.number_digits}`, ...data },
});

/** A database that moves is back within seconds, and nobody wants to be cut off for that. */
const awayTries = 15;
const awayPauseMs = 500;

/** Changes what is stored of a call, and tells whoever listens. */
export async function advance(
  call: LiveCall,
  kind: Told,
  changes: CallChanges,
  data: Record<string, unknown> = {},
): Promise<void> {
  await call.written;
  const { accountId, uuid } = call;
  const events = [...takeNoted(call), eventOf(call, kind, data)];
  const webhooks = call.number?.webhooks ?? [];
  for (let tries = 1; ; tries++) {
    try {
      // Without a row, somebody else has closed it: this process was thought to be dead.
      call.row = (await applyChange(call.deps, { accountId, uuid, changes, events, told: kind, webhooks })) ?? call.row;
      return;
    } catch (error) {
      if (!isDatabaseAway(error) || tries === awayTries) throw error;
      await sleep(awayPauseMs);
    }
  }
}

/** Something could not be done, and the call goes on without it. */
export function leaveOut(call: LiveCall, what: string, sentence: string): void {
  call.notes.push(sentence);
  note(call, 'call.audio_skipped', { what, description: sentence });
}

/** A call to one of our numbers. */
export interface InboundCall extends LiveCall {
  leg: InboundLeg;
  number: CalledNumber;
}

/** Only who was answered can hear anything but ringing. */
export async function answer(call: InboundCall): Promise<void> {
  if (call.isAnswered) return;
  await step(call, call.leg.answer());
  call.isAnswered = true;
}
