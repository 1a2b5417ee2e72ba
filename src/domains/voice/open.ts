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
import { together } from './change.ts';
import { type CallRow, hasCalledBefore, insertCall, insertStarted } from './queries.ts';
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
  const row = called
    ? await deps.batches.run('voice.start', { accountId, call, number: called }, (items) =>
        together(deps, items, (db, some) => start(db, deps, some)),
      )
    : await inTransaction(deps.db, (db) => insertRefused(db, accountId, call));
  return { row, number: called };
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

interface Starting {
  accountId: string;
  call: NewCall;
  number: CalledNumber;
}

/** Stores calls that came together. */
async function start(db: Db, deps: Deps, starting: Starting[]): Promise<CallRow[]> {
  const rows: CallRow[] = [];
  for (const one of starting) rows.push(await insertOne(db, one));
  await announce(
    db,
    deps,
    starting.map(({ accountId, number }, index) => ({
      accountId,
      type: 'call.started',
      data: presentCall(rows[index]!),
      numberWebhooks: number.webhooks,
    })),
  );
  // Last, since calls of one number wait here for each other; in one order, so that they do not wait in a circle.
  const numbers = new Map(starting.map(({ accountId, number }) => [number.uuid, accountId]));
  for (const uuid of [...numbers.keys()].toSorted()) await markCalled(db, numbers.get(uuid)!, uuid, deps.clock.now());
  return rows;
}

async function insertOne(db: Db, { accountId, call, number }: Starting): Promise<CallRow> {
  const { direction: _, ...fields } = fieldsOf(call, number.number);
  const isTracked = number.features.includes('CALL_TRACKING');
  const tracking = isTracked && {
    call_tracking: number.call_tracking,
    first_time_caller: fields.from_digits === '' ? null : !(await hasCalledBefore(db, accountId, fields)),
  };
  const event = eventOf({ accountId, uuid: fields.uuid, row: fields }, 'call.started', { from: fields.from_number });
  return insertStarted(db, accountId, { ...fields, ...tracking }, { claimedBy: call.claimedBy, events: [event] });
}

/** A call to a number that the account does not have leaves a trace all the same. */
async function insertRefused(db: Db, accountId: string, call: NewCall): Promise<CallRow> {
  const description = 'The account has no such number that takes calls.';
  const ending = { status: 'ENDED', result: 'REJECTED', hung_up_by: 'PLATFORM', sip_code: 404, description };
  const fields = { ...fieldsOf(call, call.to), ...ending, ended_at: call.at.toISOString() };
  const row = await insertCall(db, accountId, fields, null);
  const { result, hung_up_by, sip_code, talk_seconds } = row;
  const data = { result, hung_up_by, sip_code, talk_seconds };
  await appendEvents(db, [eventOf({ accountId, uuid: row.uuid, row }, 'call.ended', data)]);
  return row;
}
