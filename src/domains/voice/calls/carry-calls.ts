import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import type { CarrierWith } from '../../../carriers/ports/carriers.ts';
import type { IncomingCall, OnCall } from '../../../carriers/ports/voice.ts';
import type { Deps } from '../../../deps.ts';
import { within } from '../../../platform/time/pause.ts';
import { makeBatches } from '../../../platform/work/batches.ts';
import { startLoop } from '../../../platform/work/loop.ts';
import { findCalledNumber } from '../../numbers/index.ts';
import { dial } from '../flow/dial.ts';
import { follow } from '../flow/flow.ts';
import { findCall } from '../queries.ts';
import { type Ending, HungUp, type LiveCall, newLiveCall, nowOf, takeNoted } from './call.ts';
import { applyChange } from './change.ts';
import { closingOf, hangUpTopic } from './end.ts';
import { receive } from './receive.ts';
import { keepLateRecordings, recoverLost } from './recover.ts';
import { carrierFor, queueTopic } from './start-call.ts';
import {
  claimWaiting,
  findEndRequestsAnyAccount,
  findWaitingAnyAccount,
  releaseUnbegunAnyAccount,
  touchAnyAccount,
} from './under-way-queries.ts';

const lookPauseMs = 1000;
/** While there are calls here: others may close them, and then nothing in the database tells that they go on. */
const livePauseMs = 900;
const touchMs = 5000;
const mostAtOnce = 50;
/** After a start, others may still be closing the calls that this machine had; and should one be missed, the next look has it. */
const firstLateLookMs = 60_000;
const lateLookMs = 3_600_000;
/** Longer than the server works on a statement of ours whose connection broke. */
const doubtMs = 120_000;
/** What busy calls write leaves together every so often, which is less than anybody hears; a lone one waits for nothing. */
const gathering = { largest: 50, inFlight: 2, apartMs: 20 };

/**
 * The calls of this process: takes those that come in and those that wait to be dialled, says every few seconds that it still
 * has them, ends those whose end is asked for, and closes what a dead process left. At the end it takes no more, and lets those that it
 * has go on for a while.
 */
export function startCalls(given: Deps): { onCall: OnCall; stop(): Promise<void> } {
  const deps = { ...given, batches: makeBatches(gathering) };
  const { db, log, listener } = deps;
  const live = new Map<string, LiveCall>();
  showCalls(deps, live);
  const running = new Set<Promise<void>>();
  /** Those that this process has begun to dial: should it not be able to close one, nobody dials it again. */
  const begun = new Set<string>();
  /** A claim failed, and may have been carried out all the same, until then. */
  let inDoubtUntil = 0;
  let touchAt = 0;
  let lateLookAt = performance.now() + firstLateLookMs;
  /** No new calls; those under way go on. */
  let isDraining = false;
  let isStopping = false;

  const run = async <C extends LiveCall>(call: C, recipe: (call: C) => Promise<Ending>): Promise<void> => {
    live.set(call.uuid, call);
    if (isStopping) await end(call, 'PLATFORM');
    await carry(call, recipe).finally(() => live.delete(call.uuid));
  };
  /** Whatever runs is waited for at the end. */
  const track = (work: Promise<void>): Promise<void> => {
    const done = work
      .catch((error) => log.error({ err: error }, 'A call was not ended properly'))
      .finally(() => running.delete(done));
    running.add(done);
    return done;
  };

  const allEnded = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };

  const take = async (incoming: IncomingCall): Promise<void> => {
    try {
      const call = await receive(deps, incoming);
      if (call) await run(call, follow);
    } catch (error) {
      log.error({ err: error, carrier: incoming.carrier }, 'A call could not be taken');
      await incoming.leg.reject(500);
    }
  };
  const onCall: OnCall = (incoming) => (isDraining ? incoming.leg.reject(503) : track(take(incoming)));

  const dialWaiting = async (): Promise<void> => {
    for (const accountId of await findWaitingAnyAccount(db)) {
      const carrier = await carrierFor(deps, accountId);
      if (!carrier || !(await carrier.voice.canDial(accountId))) continue;
      await dialFor(accountId, carrier).catch((error: unknown) => {
        inDoubtUntil = performance.now() + doubtMs;
        throw error;
      });
    }
  };

  const dialFor = async (accountId: string, carrier: CarrierWith<'voice'>): Promise<void> => {
    for (const uuid of await claimWaiting(db, accountId, listener.workerNumber, mostAtOnce)) {
      const row = (await findCall(db, accountId, uuid))!;
      const number = await findCalledNumber(db, accountId, row.number_digits);
      begun.add(uuid);
      void track(run(newLiveCall(deps, carrier.voice, row, number), dial).finally(() => begun.delete(uuid)));
    }
  };

  /** Claimed, and not begun, because the database failed in between: they wait to be dialled again. */
  const giveBackUnbegun = (): Promise<void> => releaseUnbegunAnyAccount(db, listener.workerNumber, [...begun]);

  const end = async (call: LiveCall, endedFor: 'API' | 'PLATFORM'): Promise<void> => {
    call.endedFor ??= endedFor;
    await Promise.all([call.leg, ...call.others].map((leg) => leg?.hangUp()));
  };

  const endRequested = async (): Promise<void> => {
    if (live.size === 0) return;
    for (const uuid of await findEndRequestsAnyAccount(db, listener.workerNumber)) {
      const call = live.get(uuid);
      if (call) await end(call, 'API');
    }
  };

  const touch = async (): Promise<void> => {
    touchAt = performance.now() + touchMs;
    const calls = [...live.values()];
    const seen = calls.map((call) => ({ accountId: call.accountId, uuid: call.uuid, at: nowOf(call) }));
    const kept = new Set(seen.length > 0 ? await touchAnyAccount(db, listener.workerNumber, seen) : []);
    // What others have closed, because this process seemed dead to them, is over.
    for (const call of calls) if (!kept.has(call.uuid) && live.has(call.uuid)) await end(call, 'PLATFORM');
    await recoverLost(deps);
  };

  const look = async (): Promise<number> => {
    if (performance.now() < inDoubtUntil) await giveBackUnbegun();
    if (!isDraining) await dialWaiting();
    await endRequested();
    if (performance.now() >= touchAt) await touch();
    if (performance.now() >= lateLookAt) {
      lateLookAt = performance.now() + lateLookMs;
      await keepLateRecordings(deps);
    }
    return live.size > 0 ? livePauseMs : lookPauseMs;
  };
  const loop = startLoop(log, 'calls', look, { watch: listener.poll.watch('exists (select 1 from calls_under_way)') });
  for (const topic of [queueTopic, hangUpTopic]) listener.on(topic, () => loop.wake());

  return {
    onCall,
    async stop() {
      isDraining = true;
      await within(deps.config.CALL_DRAIN_SECONDS * 1000, allEnded());
      isStopping = true;
      await loop.stop();
      await Promise.all([...live.values()].map((call) => end(call, 'PLATFORM')));
      await allEnded();
    },
  };
}

/** Shows at `/metrics` how many calls are under way here, and how the connections that carry them are. */
function showCalls({ metrics, carriers }: Deps, live: ReadonlyMap<string, LiveCall>): void {
  // Whoever carries calls last in a process shows them.
  for (const name of ['parley_calls_live', 'parley_voice_links']) metrics.removeSingleMetric(name);
  new Gauge({
    name: 'parley_calls_live',
    help: 'Calls under way, by direction.',
    labelNames: ['direction'],
    registers: [metrics],
    collect() {
      const inbound = [...live.values()].filter(({ row }) => row.direction === 'INBOUND').length;
      this.set({ direction: 'inbound' }, inbound);
      this.set({ direction: 'outbound' }, live.size - inbound);
    },
  });
  new Gauge({
    name: 'parley_voice_links',
    help: 'SIP trunks, and connections to Asterisk, that this server looks after, by carrier and state.',
    labelNames: ['carrier', 'state'],
    registers: [metrics],
    collect() {
      for (const { name: carrier, voice } of carriers.all('voice')) {
        const states = voice.linkStates?.();
        if (!states) continue;
        for (const state of ['UP', 'STARTING', 'DOWN']) {
          const count = states.filter((one) => one === state).length;
          this.set({ carrier, state: state.toLowerCase() }, count);
        }
      }
    },
  });
}

const closingTries = 5;
const pauseMs = 200;

/** Carries a call from its first step to its detail record, whatever happens in between. */
export async function carry<C extends LiveCall>(call: C, recipe: (call: C) => Promise<Ending>): Promise<void> {
  const ending = await recipe(call).catch((error) => endingOf(call, error));
  const at = new Date(call.endedMs ?? nowOf(call).getTime());
  // A leg that makes trouble must not cost the record.
  const letGoOf = [...[...call.others].map((leg) => leg.hangUp()), letGo(call, ending)];
  for (const { reason } of (await Promise.allSettled(letGoOf)).filter((one) => one.status === 'rejected')) {
    call.deps.log.error({ err: reason, call: call.uuid }, 'A leg could not be ended');
  }
  await close(call, ending, at);
}

function endingOf(call: LiveCall, error: unknown): Ending {
  if (!(error instanceof HungUp)) {
    call.deps.log.error({ err: error, call: call.uuid }, 'A call broke off');
    return {
      result: call.row.answered_at ? 'ANSWERED' : 'FAILED',
      by: 'PLATFORM',
      code: 500,
      description: 'It broke off.',
    };
  }
  const { by, code, description } = error.end;
  const person = call.row.direction === 'INBOUND' ? 'CALLER' : 'CALLEE';
  const who = by === 'peer' ? person : by === 'network' ? 'NETWORK' : (call.endedFor ?? 'PLATFORM');
  return call.row.answered_at
    ? { result: 'ANSWERED', by: who, code, description }
    : { result: 'ABANDONED', by: who, code: 487, description };
}

/** The person hears the end, or, not answered yet, is told why there will be no answer. */
async function letGo({ leg, isAnswered, refuse }: LiveCall, { code }: Ending): Promise<void> {
  if (refuse && !isAnswered) await refuse(code);
  else await leg?.hangUp();
}

/** A database that is away for a moment must not cost the record; after that, others find the call and close it. */
async function close(call: LiveCall, ending: Ending, at: Date): Promise<void> {
  const { deps, row, rangMs, notes, number } = call;
  await call.written;
  const change = closingOf(deps, row, { ...ending, at, rangMs, notes, number, noted: takeNoted(call) });
  for (let attempt = 1; ; attempt++) {
    try {
      await applyChange(deps, change);
      return;
    } catch (error) {
      if (attempt === closingTries) {
        deps.log.error({ err: error, call: call.uuid }, 'The record of a call could not be closed');
        return;
      }
      await sleep(pauseMs * 2 ** attempt);
    }
  }
}
