import { setTimeout as sleep } from 'node:timers/promises';
import { notify } from '../../../platform/db/connect/listener.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { findLeg, type LegRow } from '../voice/call-queries.ts';
import { type ActKind, insertAct, isActDone } from './act-queries.ts';
import { actsTopic } from './hands.ts';

/** How long the process that has the leg is waited for; it answers within milliseconds, if it is there. */
const patienceMs = 1000;
const lookEveryMs = 5;

/** Does something with a phone during a call: through the process that has the leg. Answers the leg as it is then. */
export async function act(
  { db }: { db: Db },
  accountId: string,
  leg: string,
  { act, keys = '' }: { act: ActKind; keys?: string },
): Promise<LegRow> {
  const before = await findLeg(db, accountId, leg);
  if (!before) throw notFound();
  refuseUnlessPossible(act, before);
  const uuid = await insertAct(db, accountId, { leg, act, keys });
  await notify(db, actsTopic);
  // Before the transaction of an idempotent request commits, nobody else can see what is asked.
  if (db.isTransaction) return before;
  const isDone = await waitUntilDone(db, accountId, uuid);
  const after = (await findLeg(db, accountId, leg)) ?? before;
  if (isDone && !hasHappened(act, before, after)) refuseUnlessPossible(act, after);
  return after;
}

async function waitUntilDone(db: Db, accountId: string, uuid: string): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    if (await isActDone(db, accountId, uuid)) return true;
    await sleep(lookEveryMs);
  }
  return false;
}

/** Whether the other side was not faster. */
function hasHappened(act: ActKind, before: LegRow, after: LegRow): boolean {
  if (act === 'answer') return after.answered_at !== null;
  if (act === 'keys') return after.pressed !== before.pressed;
  return after.hung_up_by === 'peer';
}

function refuseUnlessPossible(act: ActKind, leg: LegRow): void {
  if (leg.state === 'ENDED') throw new ApiError('call_ended');
  const problem = problemWith(act, leg);
  if (problem) throw new ApiError('phone_state', { detail: problem });
}

function problemWith(act: ActKind, { state, direction }: LegRow): string | undefined {
  const rings = state === 'RINGING';
  switch (act) {
    case 'answer':
      if (direction === 'INBOUND') return 'This person made the call: it is answered at the other end.';
      return rings ? undefined : 'The call is answered already.';
    case 'decline':
      if (direction === 'INBOUND') return 'This person made the call: hang up instead.';
      return rings ? undefined : 'The call is answered already: hang up instead.';
    case 'hangup':
      return rings && direction === 'OUTBOUND' ? 'The phone still rings: answer or decline.' : undefined;
    case 'keys':
      return rings ? 'Nobody has answered yet.' : undefined;
  }
}
