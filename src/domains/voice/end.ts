import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/pool.ts';
import { type CalledNumber, countTraffic, type TrafficRow } from '../numbers/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { type Ending, eventOf } from './call.ts';
import { type CallRow, endCall } from './queries.ts';
import { presentCall } from './schemas.ts';

export interface Closing extends Ending {
  /** By the time of the carrier. */
  at: Date;
  rangMs?: number;
  notes?: string[];
  /** The account's own number, if it is one. */
  number: Pick<CalledNumber, 'webhooks'> | undefined;
}

/**
 * Closes a call: its detail record, its last event, what its number's traffic is, and whoever listens is told. To be called in a
 * transaction; a call that is over stays as it is.
 */
export async function closeCall(db: Db, deps: Deps, row: CallRow, closing: Closing): Promise<CallRow | undefined> {
  const { account_id: accountId, uuid } = row;
  const { result, by, code, description = '', at, rangMs, notes, number } = closing;
  const closed = await endCall(db, accountId, uuid, {
    result,
    hung_up_by: by,
    sip_code: code,
    description,
    ended_at: at.toISOString(),
    talk_seconds: secondsBetween(row.answered_at, at),
    total_seconds: secondsBetween(row.started_at, at),
    ...(rangMs !== undefined && { ring_seconds: Math.round(rangMs / 1000) }),
    ...(notes && { notes }),
  });
  if (!closed) return undefined;
  await tellEnd(db, deps, closed, number);
  return closed;
}

/** What is done at the end of every call, whoever ended it. */
export async function tellEnd(db: Db, deps: Deps, row: CallRow, number: Closing['number']): Promise<void> {
  const { account_id: accountId, uuid, result, hung_up_by, sip_code, talk_seconds } = row;
  const data = { result, hung_up_by, sip_code, talk_seconds };
  await appendEvents(db, [eventOf({ accountId, uuid, row }, 'call.ended', data)]);
  await announce(db, deps, [
    { accountId, type: 'call.ended', data: presentCall(row), numberWebhooks: number?.webhooks ?? [] },
  ]);
  if (number) await countTraffic(db, [trafficOf(row, deps.clock.now())]);
}

const secondsBetween = (from: string | null, to: Date): number =>
  from === null ? 0 : Math.max(0, Math.round((to.getTime() - Date.parse(from)) / 1000));

/** Nobody misses a call that they made themselves. */
function trafficOf(
  { account_id: accountId, number_digits, direction, from_digits, result, talk_seconds }: CallRow,
  at: Date,
) {
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
