import { sql } from 'kysely';
import { uuidArray } from '../../../platform/db/arrays.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { newId } from '../../../platform/ids.ts';

export type ActKind = 'answer' | 'decline' | 'hangup' | 'keys';

/** Something that a person does with their phone during a call. */
export interface Act {
  accountId: string;
  uuid: string;
  leg: string;
  act: ActKind;
  keys: string;
}

export async function insertAct(
  db: Db,
  accountId: string,
  { leg, act, keys }: Pick<Act, 'leg' | 'act' | 'keys'>,
): Promise<string> {
  const uuid = newId();
  await db.insertInto('sandbox_acts').values({ account_id: accountId, uuid, leg, act, keys }).execute();
  return uuid;
}

export async function isActDone(db: Db, accountId: string, uuid: string): Promise<boolean> {
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
