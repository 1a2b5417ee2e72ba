import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/pool.ts';
import { newId } from '../../platform/ids.ts';
import { phoneDigits } from '../../platform/phone.ts';
import {
  type CalledNumber,
  findCalledAnyAccount,
  findCalledNumber,
  knowledgeOf,
  markCalled,
} from '../numbers/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { eventOf } from './call.ts';
import { tellEnd } from './end.ts';
import { type CallRow, hasCalledBefore, insertCall } from './queries.ts';
import { presentCall } from './schemas.ts';

/** What is known of a call when it comes. */
export interface NewCall {
  carrier: string;
  /** null: the number tells. */
  accountId: string | null;
  carrierCallId: string;
  from: string;
  to: string;
  at: Date;
  /** The process that has its leg; null: none yet. */
  claimedBy: number | null;
}

export interface Opened {
  row: CallRow;
  /** undefined: the account has no such number, and the call is over. */
  number: CalledNumber | undefined;
}

/** A call came: finds its number and gives it its row. undefined: it is for nobody whom we know. */
export async function openCall(deps: Deps, call: NewCall): Promise<Opened | undefined> {
  const digits = phoneDigits(call.to);
  const number =
    call.accountId === null
      ? await findCalledAnyAccount(deps.db, digits)
      : await findCalledNumber(deps.db, call.accountId, digits);
  const accountId = call.accountId ?? number?.account_id;
  if (accountId === undefined) return undefined;
  const called = number?.capabilities.includes('VOICE') ? number : undefined;
  return inTransaction(deps.db, async (db) => {
    const row = called
      ? await insertStarted(db, deps, accountId, call, called)
      : await insertRefused(db, deps, accountId, call);
    return { row, number: called };
  });
}

function fieldsOf({ carrier, carrierCallId, from, to, at }: NewCall, number: string) {
  const from_digits = phoneDigits(from);
  return {
    uuid: newId(),
    direction: 'INBOUND',
    carrier,
    carrier_call_id: carrierCallId,
    number,
    number_digits: phoneDigits(to),
    // `anonymous`, and whatever else stands there without a digit, is nobody's number.
    from_number: from_digits === '' ? '' : from,
    from_digits,
    to_number: to,
    started_at: at.toISOString(),
    caller_country: from_digits === '' ? '' : (knowledgeOf(from_digits).country ?? ''),
  };
}

async function insertStarted(db: Db, deps: Deps, accountId: string, call: NewCall, number: CalledNumber) {
  const isTracked = number.features.includes('CALL_TRACKING');
  const fields = fieldsOf(call, number.number);
  const tracking = isTracked && {
    call_tracking: number.call_tracking,
    first_time_caller: fields.from_digits === '' ? null : !(await hasCalledBefore(db, accountId, fields)),
  };
  const row = await insertCall(db, accountId, { ...fields, ...tracking, status: 'RINGING' }, call.claimedBy);
  await appendEvents(db, [eventOf({ accountId, uuid: row.uuid, row }, 'call.started', { from: row.from_number })]);
  await announce(db, deps, [
    { accountId, type: 'call.started', data: presentCall(row), numberWebhooks: number.webhooks },
  ]);
  // Last, since calls of one number wait here for each other.
  await markCalled(db, accountId, number.uuid, deps.clock.now());
  return row;
}

/** A call to a number that the account does not have leaves a trace all the same. */
async function insertRefused(db: Db, deps: Deps, accountId: string, call: NewCall): Promise<CallRow> {
  const description = 'The account has no such number that takes calls.';
  const ending = { status: 'ENDED', result: 'REJECTED', hung_up_by: 'PLATFORM', sip_code: 404, description };
  const fields = { ...fieldsOf(call, call.to), ...ending, ended_at: call.at.toISOString() };
  const row = await insertCall(db, accountId, fields, null);
  await tellEnd(db, deps, row, undefined);
  return row;
}
