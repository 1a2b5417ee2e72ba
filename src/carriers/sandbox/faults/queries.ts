import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { SandboxFaults } from '../../../platform/db/types.ts';
import { newId } from '../../../platform/ids.ts';
import type { FaultKind } from './faults.ts';

export type FaultRow = Selectable<SandboxFaults>;

export const insertFault = (db: Db, accountId: string, { kind, count }: { kind: string; count: number }) =>
  db
    .insertInto('sandbox_faults')
    .values({ account_id: accountId, uuid: newId(), kind, count, remaining: count })
    .returningAll()
    .executeTakeFirstOrThrow();

export const listFaults = (db: Db, accountId: string, query: PageQuery) =>
  keysetPage(db, db.selectFrom('sandbox_faults').selectAll().where('account_id', '=', accountId), query);

export async function deleteFaults(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('sandbox_faults').where('account_id', '=', accountId).execute();
}

export async function readFaultyAnyAccount(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('sandbox_faults').select('account_id').distinct().execute();
  return new Set(rows.map((row) => row.account_id));
}

/** Uses up to `most` faults of an account, oldest first; one kind for each. Whoever comes at the same time gets others. */
export async function takeFaults(db: Db, accountId: string, most: number): Promise<FaultKind[]> {
  const { rows } = await sql<{ kind: FaultKind; used: number }>`
    with locked as materialized (
      select uuid, kind, remaining from sandbox_faults
      where account_id = ${accountId} order by uuid limit ${most} for update
    ), counted as (
      select *, sum(remaining) over (order by uuid) - remaining as before from locked
    ), taken as (
      select uuid, kind, remaining, least(remaining, ${most} - before)::integer as used
      from counted where before < ${most}
    ), emptied as (
      delete from sandbox_faults as fault using taken
      where fault.account_id = ${accountId} and fault.uuid = taken.uuid and taken.used = taken.remaining
    ), lessened as (
      update sandbox_faults as fault set remaining = fault.remaining - taken.used from taken
      where fault.account_id = ${accountId} and fault.uuid = taken.uuid and taken.used < taken.remaining
    )
    select kind, used from taken order by uuid`.execute(db);
  return rows.flatMap(({ kind, used }) => Array<FaultKind>(used).fill(kind));
}
