import type { IncomingCall } from '../../../carriers/ports/voice.ts';
import type { Deps } from '../../../deps.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import { sandboxMode } from '../../accounts/index.ts';
import { findCalledNumber } from '../../numbers/index.ts';
import { findCall, updateCall } from '../queries.ts';
import { presentCall } from '../schemas.ts';
import { type InboundCall, newLiveCall } from './call.ts';
import { type Opened, openCall } from './open.ts';
import { carrierFor } from './start-call.ts';
import { claimOne } from './under-way-queries.ts';

/**
 * A call that is told before its leg is there; whoever has the leg takes it up soon. Answers what the API shows of it; undefined
 * where calls to this number come by another carrier.
 */
export async function announceCall(
  deps: Deps,
  accountId: string,
  carrier: string,
  { from, to }: { from: string; to: string },
): Promise<object | undefined> {
  const number = await findCalledNumber(deps.db, accountId, phoneDigits(to));
  // A number of the carrier's own is called by it, any other by the way that the account's calls leave. One that the account does not
  // have is called only where things are tried out.
  const isItsOwn =
    number?.carrier === carrier ||
    ((await carrierFor(deps, accountId))?.name === carrier &&
      (number !== undefined || (await sandboxMode(deps, accountId)) === 'adopt'));
  if (!isItsOwn) return undefined;
  const at = deps.carriers.find(carrier, 'voice')?.voice.clock(accountId).now() ?? deps.clock.now();
  const opened = await openCall(deps, { carrier, accountId, carrierCallId: '', from, to, at, claimedBy: null });
  return presentCall(opened!.row);
}

/** Makes ready what came in; undefined: the call is over already, because there is nothing to be done with it. */
export async function receive(deps: Deps, incoming: IncomingCall): Promise<InboundCall | undefined> {
  const { carrier, leg } = incoming;
  const { voice } = deps.carriers.get(carrier, 'voice');
  const opened = incoming.uuid === undefined ? await open(deps, incoming) : await takeUp(deps, incoming, incoming.uuid);
  if (opened) leg.belongTo?.(opened.row.account_id);
  if (!opened?.number) {
    await leg.reject(404);
    return undefined;
  }
  return {
    ...newLiveCall(deps, voice, opened.row, opened.number),
    leg,
    number: opened.number,
    refuse: (code) => leg.reject(code),
  };
}

function open(deps: Deps, { leg, ...incoming }: IncomingCall): Promise<Opened | undefined> {
  return openCall(deps, { ...incoming, carrierCallId: leg.id, claimedBy: deps.listener.workerNumber });
}

async function takeUp(deps: Deps, { accountId, at, leg }: IncomingCall, uuid: string): Promise<Opened | undefined> {
  const { db, listener } = deps;
  if (accountId === null || !(await claimOne(db, accountId, uuid, listener.workerNumber))) return undefined;
  const changes = { started_at: at.toISOString(), carrier_call_id: leg.id };
  const row = (await updateCall(db, accountId, uuid, changes)) ?? (await findCall(db, accountId, uuid));
  return row && { row, number: await findCalledNumber(db, accountId, row.number_digits) };
}
