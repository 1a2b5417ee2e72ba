import { type RawBuilder, sql } from 'kysely';
import { aliveText, isSettledText } from './connect/listener.ts';
import type { Db } from './connect/pool.ts';
import { isDistributed } from './distribute/layout.ts';
import { isOverText } from './moments.ts';

/** What statements that look for things of dead processes say of the living. */
export interface Living {
  /** SQL: an array of the numbers of the processes that are alive. */
  workers: RawBuilder<unknown>;
  /** SQL: whether whoever is alive has had the time to say so. */
  isSettled: RawBuilder<boolean>;
  /** SQL: as `isOverText`, by the moment at which the living were seen. */
  isOver(column: string, age: string): RawBuilder<boolean>;
}

/** Seen by the statement itself. */
const within: Living = {
  workers: sql`array(${sql.raw(aliveText)})`,
  isSettled: sql<boolean>`${sql.raw(isSettledText)}`,
  isOver: (column, age) => sql<boolean>`${sql.raw(isOverText(column, age))}`,
};

/**
 * Who is alive. The nodes of a distributed database know nothing of the sessions of the coordinator: there it is asked first. Whoever
 * comes to life after that has claimed nothing by then, which is why ages count from the same moment.
 */
export async function seeLiving(db: Db): Promise<Living> {
  if (!isDistributed()) return within;
  const { rows } = await sql<{ workers: string[]; isSettled: boolean; at: string }>`
    select array(${sql.raw(aliveText)})::text[] as workers, ${sql.raw(isSettledText)} as "isSettled",
      now()::text as at`.execute(db);
  const { workers, isSettled, at } = rows[0]!;
  return {
    workers: sql`${workers}::bigint[]`,
    isSettled: sql<boolean>`${isSettled}::boolean`,
    isOver: (column, age) => sql<boolean>`${sql.raw(isOverText(column, age, `'${at}'::timestamptz`))}`,
  };
}
