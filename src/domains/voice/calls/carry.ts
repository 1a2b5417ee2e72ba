import { setTimeout as sleep } from 'node:timers/promises';
import { type Ending, HungUp, type LiveCall, nowOf, takeNoted } from './call.ts';
import { applyChange } from './change.ts';
import { closingOf } from './end.ts';

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
