import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { uuidArray } from '../../../platform/db/arrays.ts';
import { notify } from '../../../platform/db/connect/listener.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { findLeg, type LegRow } from '../voice/queries.ts';

/** Somebody did something with a phone. */
export const actsTopic = 'sandbox-acts';

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

type ActKind = 'answer' | 'decline' | 'hangup' | 'keys';

/** Something that a person does with their phone during a call. */
export interface Act {
  accountId: string;
  uuid: string;
  leg: string;
  act: ActKind;
  keys: string;
}

async function insertAct(
  db: Db,
  accountId: string,
  { leg, act, keys }: Pick<Act, 'leg' | 'act' | 'keys'>,
): Promise<string> {
  const uuid = newId();
  await db.insertInto('sandbox_acts').values({ account_id: accountId, uuid, leg, act, keys }).execute();
  return uuid;
}

async function isActDone(db: Db, accountId: string, uuid: string): Promise<boolean> {
  const row = await db
    .selectFrom('sandbox_acts')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return row === undefined;
}

/** What is to be done with the legs of a process, in the order in which people did it. */
export async function findActsAnyAccount(db: Db, workerNumber: number): Promise<Act[]> {
  const { rows } = await sql<Act>`
    select act.account_id as "accountId", act.uuid, act.leg, act.act, act.keys
    from sandbox_acts as act join sandbox_legs as leg on leg.account_id = act.account_id and leg.uuid = act.leg
    where leg.carried_by = ${workerNumber} order by act.uuid`.execute(db);
  return rows;
}

export async function deleteActsAnyAccount(db: Db, acts: Act[]): Promise<void> {
  await sql`
    delete from sandbox_acts as act
    using unnest(${uuidArray(acts.map(({ accountId }) => accountId))}::uuid[], ${uuidArray(acts.map(({ uuid }) => uuid))}::uuid[])
      as done (account_id, uuid)
    where act.account_id = done.account_id and act.uuid = done.uuid`.execute(db);
}
