import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { storable } from '../../../platform/text/fit.ts';
import { within } from '../../../platform/within.ts';
import { type CalledNumber, findCalledNumber, type TrafficRow } from '../../numbers/index.ts';
import type { NewEvent } from '../../timeline/index.ts';
import { type CallRow, findCall } from '../queries.ts';
import { type Ending, eventOf } from './call.ts';
import { applyChanges, type Change } from './change.ts';
import { requestEnd } from './under-way-queries.ts';

export interface Closing extends Ending {
  /** By the time of the carrier. */
  at: Date;
  rangMs?: number;
  notes?: string[];
  /** Steps that are not on its timeline yet. */
  noted?: NewEvent[];
  /** The account's own number, if it is one. */
  number: Pick<CalledNumber, 'webhooks'> | undefined;
}

const longestDescription = 500;

/** The end of a call: its detail record, its last events, what its number's traffic is, and whoever listens is told. */
export function closingOf(deps: Pick<Deps, 'clock'>, row: CallRow, closing: Closing): Change {
  const { account_id: accountId, uuid } = row;
  const { result, by, code, description = '', at, rangMs, notes, number, noted = [] } = closing;
  const talk_seconds = secondsBetween(row.answered_at, at);
  const ending = { result, hung_up_by: by, sip_code: code, talk_seconds };
  return {
    accountId,
    uuid,
    changes: {
      status: 'ENDED',
      ...ending,
      // Often in the words of the other side.
      description: storable(description, longestDescription),
      ended_at: at.toISOString(),
      total_seconds: secondsBetween(row.started_at, at),
      ...(rangMs !== undefined && { ring_seconds: Math.round(rangMs / 1000) }),
      ...(notes && { notes }),
    },
    events: [...noted, eventOf({ accountId, uuid, row }, 'call.ended', ending)],
    told: 'call.ended',
    webhooks: number?.webhooks ?? [],
    ...(number && { traffic: trafficOf({ ...row, ...ending }, deps.clock.now()) }),
  };
}

/** Closes a call, in a transaction; one that is over stays as it is. */
export const closeCall = async (db: Db, deps: Deps, row: CallRow, closing: Closing): Promise<CallRow | undefined> =>
  (await applyChanges(db, deps, [closingOf(deps, row, closing)]))[0];

const secondsBetween = (from: string | null, to: Date): number =>
  from === null ? 0 : Math.max(0, Math.round((to.getTime() - Date.parse(from)) / 1000));

/** Nobody misses a call that they made themselves. */
function trafficOf(
  { account_id: accountId, number_digits, direction, from_digits, result, talk_seconds }: CallRow,
  at: Date,
): TrafficRow {
  const isMissed = direction === 'INBOUND' && ['MISSED', 'BUSY', 'VOICEMAIL'].includes(result!);
  const row: TrafficRow = {
    accountId,
    digits: number_digits,
    kind: result === 'ANSWERED' ? 'CALL_ANSWERED' : isMissed ? 'CALL_MISSED' : 'CALL_OTHER',
    at,
    seconds: talk_seconds,
  };
  return direction === 'INBOUND' && from_digits !== '' ? { ...row, caller: from_digits } : row;
}

/** Tells the process that has a call to end it. */
export const hangUpTopic = 'voice-hang-up';

/** Ends a call: one that nobody has begun at once, any other by the process that has it. */
export async function hangUp(deps: Deps, accountId: string, uuid: string): Promise<CallRow> {
  const row = await findCall(deps.db, accountId, uuid);
  if (!row) throw notFound();
  const closed = await within(deps, async (deps) => {
    const { db } = deps;
    const found = await requestEnd(db, accountId, uuid);
    if (!found) throw new ApiError('call_ended');
    if (found.claimed_by !== null) return undefined;
    const number = await findCalledNumber(db, accountId, row.number_digits);
    const at = deps.carriers.find(row.carrier, 'voice')?.voice.clock(accountId).now() ?? deps.clock.now();
    const ending = { result: 'ABANDONED', by: 'API', code: 487, description: 'It was taken back.' } as const;
    return closeCall(db, deps, row, { ...ending, at, number });
  });
  if (closed) return closed;
  deps.listener.signal(hangUpTopic, '');
  return row;
}
