import type { Leg, LegEnd, VoiceEngine } from '../../carriers/port.voice.ts';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/pool.ts';
import type { CalledNumber } from '../numbers/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { type CallChanges, type CallRow, updateCall } from './queries.ts';
import { presentCall } from './schemas.ts';

/** A call that this process has the legs of. */
export interface LiveCall {
  readonly deps: Deps;
  readonly engine: VoiceEngine;
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
}

/** A call at its beginning. */
export const newLiveCall = (
  deps: Deps,
  engine: VoiceEngine,
  row: CallRow,
  number: CalledNumber | undefined,
): LiveCall & { leg: undefined } => ({
  deps,
  engine,
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
export const nowOf = ({ engine, accountId }: LiveCall): Date => engine.clock(accountId).now();

/** Puts a step on the timeline, together with the steps that other calls take at this moment. */
export const note = (call: LiveCall, kind: `call.${string}`, data: Record<string, unknown> = {}): Promise<void> =>
  call.deps.batches.run('voice.note', eventOf(call, kind, data), async (events) => {
    await appendEvents(call.deps.db, events);
    return events.map(() => ({ status: 'fulfilled', value: undefined }));
  });

export const eventOf = (
  { accountId, uuid, row }: Pick<LiveCall, 'accountId' | 'uuid' | 'row'>,
  kind: string,
  data: Record<string, unknown>,
) => ({
  accountId,
  subjectType: 'call' as const,
  subject: uuid,
  kind,
  data: { number: `+${row.number_digits}`, ...data },
});

type Told =
  | 'call.started'
  | 'call.answered'
  | 'call.ended'
  | 'call.recording_ready'
  | 'call.voicemail_received'
  | 'call.digits_captured';

/** Changes what is stored of a call, and tells whoever listens. */
export async function advance(
  call: LiveCall,
  kind: Told,
  changes: CallChanges,
  data: Record<string, unknown> = {},
): Promise<void> {
  await inTransaction(call.deps.db, async (db) => {
    const row = await updateCall(db, call.accountId, call.uuid, changes);
    // Somebody else has closed it: this process was thought to be dead.
    if (!row) return;
    call.row = row;
    await appendEvents(db, [eventOf(call, kind, data)]);
    await announce(db, call.deps, [
      { accountId: call.accountId, type: kind, data: presentCall(row), numberWebhooks: call.number?.webhooks ?? [] },
    ]);
  });
}

/** Something could not be done, and the call goes on without it. */
export async function leaveOut(call: LiveCall, what: string, sentence: string): Promise<void> {
  call.notes.push(sentence);
  await note(call, 'call.audio_skipped', { what, description: sentence });
}
