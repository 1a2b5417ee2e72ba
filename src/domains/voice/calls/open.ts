import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { newId } from '../../../platform/ids.ts';
import { isPlain, phoneDigits, readPhone } from '../../../platform/phone.ts';
import { storable } from '../../../platform/text/fit.ts';
import { countriesOf } from '../../accounts/index.ts';
import { type CalledNumber, findCalledAnyAccount, knowledgeOf, markCalled } from '../../numbers/index.ts';
import { appendEvents } from '../../timeline/index.ts';
import { announce, findListening } from '../../webhooks/index.ts';
import { type CallRow, findAcquainted, insertCall, insertStarted, type StartedCall } from '../queries.ts';
import { presentCall } from '../schemas.ts';
import { eventOf } from './call.ts';
import { together } from './change.ts';

/** What is known of a call when it comes. */
export interface NewCall {
  carrier: string;
  /** null: the number tells. */
  accountId: string | null;
  /** Those it may be for; left out: anybody. */
  among?: readonly string[];
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

interface Arrival {
  call: NewCall;
  accountId: string | undefined;
  number: CalledNumber | undefined;
  /** Of the caller, in whose country the account may be; '' where there are none. */
  fromDigits: string;
}

/** A call came: finds its number and gives it its row. undefined: it is for nobody whom we know. */
export const openCall = (deps: Deps, call: NewCall): Promise<Opened | undefined> =>
  deps.batches.run('voice.open', cleaned(call), (calls) => openCalls(deps, calls));

const longestParty = 100;
const longestCallId = 300;

/** What the carrier passes on was written by somebody else: calls are stored together, and one must not fail the others. */
const cleaned = ({ from, to, carrierCallId, ...call }: NewCall): NewCall => ({
  ...call,
  from: storable(from, longestParty),
  to: storable(to, longestParty),
  carrierCallId: storable(carrierCallId, longestCallId),
});

/** Calls that came together. */
async function openCalls(deps: Deps, calls: NewCall[]): Promise<PromiseSettledResult<Opened | undefined>[]> {
  const known = await findCalledAnyAccount(deps.db, [...new Set(calls.map(({ to }) => phoneDigits(to)))]);
  const placed = calls.map((call) => {
    const found = known.get(phoneDigits(call.to));
    const accountId = call.accountId ?? ownerOf(found, call.among);
    const takes = found?.account_id === accountId && found?.capabilities.includes('VOICE');
    return { call, accountId, number: takes ? found : undefined };
  });
  const unclear = placed.filter(({ call }) => !isPlain(call.from));
  const countries = await countriesOf(
    deps,
    unclear.flatMap(({ accountId }) => accountId ?? []),
  );
  const arrivals = placed.map((one): Arrival => {
    const country = one.accountId === undefined ? undefined : countries.get(one.accountId);
    return { ...one, fromDigits: readPhone(one.call.from, country) };
  });
  return together(deps, arrivals, (deps, some) => store(deps.db, deps, some), {
    isOneStatement: (some) => isUnheard(deps, some),
  });
}

/** Whether all that is to be written are the calls: no webhook hears of them, and their numbers are marked. */
async function isUnheard(deps: Deps, arrivals: Arrival[]): Promise<boolean> {
  const isPlainCall = ({ number }: Arrival): boolean =>
    number !== undefined && number.webhooks.length === 0 && isMarked(deps, number);
  if (!arrivals.every(isPlainCall)) return false;
  const accounts = arrivals.flatMap(({ accountId }) => accountId ?? []);
  return (await findListening(deps.db, deps, 'call.started', accounts)).size === 0;
}

/** Whose call it is by the number; undefined: nobody's who gets calls this way. */
const ownerOf = (number: CalledNumber | undefined, among: readonly string[] | undefined): string | undefined =>
  number && (among === undefined || among.includes(number.account_id)) ? number.account_id : undefined;

async function store(db: Db, deps: Deps, arrivals: Arrival[]): Promise<(Opened | undefined)[]> {
  const starting = arrivals.filter((arrival): arrival is Starting => arrival.number !== undefined);
  const rows = await start(db, deps, starting);
  const opened: (Opened | undefined)[] = [];
  for (const arrival of arrivals) {
    const { accountId, number } = arrival;
    if (number) opened.push({ row: rows.shift()!, number });
    else if (accountId === undefined) opened.push(undefined);
    else opened.push({ row: await insertRefused(db, deps, accountId, arrival), number });
  }
  return opened;
}

function fieldsOf(
  { call: { carrier, carrierCallId, from, to, at }, fromDigits: from_digits }: Arrival,
  number: string,
) {
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

interface Starting extends Arrival {
  accountId: string;
  number: CalledNumber;
}

/** Stores calls that came together, to numbers that take them. */
async function start(db: Db, deps: Deps, starting: Starting[]): Promise<CallRow[]> {
  if (starting.length === 0) return [];
  const calls = await tellFirstTimers(db, starting.map(startedOf));
  const events = calls.map((call) =>
    eventOf({ accountId: call.account_id, uuid: call.uuid, row: call }, 'call.started', { from: call.from_number }),
  );
  const stored = await insertStarted(db, calls, events);
  const rows = calls.map(({ uuid }) => stored.get(uuid)!);
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
  // Last, since calls of one number wait here for each other.
  await mark(db, deps, starting);
  for (const row of rows) deps.observer.call('started', row);
  return rows;
}

/** Numbers that were marked as called within the last second. */
const markedOf = ({ caches }: Deps) => caches.of<true>('numbers-marked', { keptMs: 1000 });
const isMarked = (deps: Deps, { uuid }: CalledNumber): boolean => markedOf(deps).get(uuid) ?? false;

async function mark(db: Db, deps: Deps, starting: Starting[]): Promise<void> {
  const numbers = starting.map(({ number }) => number).filter((number) => !isMarked(deps, number));
  if (numbers.length === 0) return;
  await markCalled(db, numbers, deps.clock.now());
  const marked = markedOf(deps);
  for (const { uuid } of numbers) marked.set(uuid, true, marked.stamp());
}

function startedOf(arrival: Starting): StartedCall {
  const { accountId, call, number } = arrival;
  const { direction: _, ...fields } = fieldsOf(arrival, number.number);
  const started = { account_id: accountId, claimed_by: call.claimedBy, call_tracking: '', ...fields };
  if (!number.features.includes('CALL_TRACKING')) return started;
  return {
    ...started,
    call_tracking: number.call_tracking,
    first_time_caller: fields.from_digits === '' ? null : true,
  };
}

/** Of those who may be, says who calls for the first time: neither before, nor earlier among these. */
async function tellFirstTimers(db: Db, calls: StartedCall[]): Promise<StartedCall[]> {
  const known = await findAcquainted(
    db,
    calls.filter(({ first_time_caller }) => first_time_caller),
  );
  const met = new Set<string>();
  return calls.map((call) => {
    if (!call.first_time_caller) return call;
    const pair = `${call.from_digits} ${call.number_digits}`;
    const first_time_caller = !known.has(call.uuid) && !met.has(pair);
    met.add(pair);
    return { ...call, first_time_caller };
  });
}

/** A call to a number that the account does not have leaves a trace all the same. */
async function insertRefused(db: Db, deps: Deps, accountId: string, arrival: Arrival): Promise<CallRow> {
  const { call } = arrival;
  const description = 'The account has no such number that takes calls.';
  const ending = { status: 'ENDED', result: 'REJECTED', hung_up_by: 'PLATFORM', sip_code: 404, description };
  const fields = { ...fieldsOf(arrival, call.to), ...ending, ended_at: call.at.toISOString() };
  const row = await insertCall(db, accountId, fields, null);
  const { result, hung_up_by, sip_code, talk_seconds } = row;
  const data = { result, hung_up_by, sip_code, talk_seconds };
  await appendEvents(db, [eventOf({ accountId, uuid: row.uuid, row }, 'call.ended', data)]);
  deps.observer.call('ended', row);
  return row;
}
