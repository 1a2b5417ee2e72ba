import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { PersonErasures } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import type { Part, Person } from './parts.ts';

export type Row = Record<string, unknown>;

/** How many rows a part has, counted up to `most`. */
export async function countPart(db: Db, accountId: string, part: Part, person: Person, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select 1 from ${part.from} where row.account_id = ${accountId} and ${part.where(person)} limit ${most}) as known`.execute(
    db,
  );
  return rows[0]!.count;
}

/** The newest rows of a part. */
export async function newestOf(db: Db, accountId: string, part: Part, person: Person, most: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${part.columns} from ${part.from} where row.account_id = ${accountId} and ${part.where(person)}
    order by ${key(part)} desc limit ${most}`.execute(db);
  return rows;
}

/** All rows of a part, some at a time: nothing is held open between two chunks. */
export async function* rowsOf(
  db: Db,
  accountId: string,
  part: Part,
  person: Person,
  chunk: number,
): AsyncGenerator<Row[]> {
  let after: unknown;
  for (;;) {
    const { rows } = await sql<Row & { place: unknown }>`
      select ${part.columns}, ${key(part)} as place from ${part.from}
      where row.account_id = ${accountId} and ${part.where(person)}
        and ${after === undefined ? sql`true` : sql`${key(part)} > ${after}`}
      order by ${key(part)} limit ${chunk}`.execute(db);
    yield rows.map(({ place: _, ...row }) => row);
    if (rows.length < chunk) return;
    after = rows.at(-1)!.place;
  }
}

const key = (part: Part) => sql.ref(`row.${part.key}`);

export type ErasureRow = Omit<Selectable<PersonErasures>, 'counts'> & { counts: Record<string, number> };

export const listErasures = (db: Db, accountId: string, hash: string): Promise<ErasureRow[]> =>
  db
    .selectFrom('person_erasures')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('person', '=', hash)
    .orderBy('uuid', 'desc')
    .limit(100)
    .$castTo<ErasureRow>()
    .execute();

export type NewErasure = Pick<ErasureRow, 'person' | 'actor_type' | 'actor_uuid' | 'actor_name' | 'job' | 'counts'>;

/** The receipt of an erasure; a job leaves one. */
export async function insertErasure(db: Db, accountId: string, { counts, ...erasure }: NewErasure): Promise<void> {
  await db
    .insertInto('person_erasures')
    .values({ account_id: accountId, uuid: newId(), ...erasure, counts: JSON.stringify(counts) })
    .onConflict((conflict) => conflict.columns(['account_id', 'job']).doNothing())
    .execute();
}
