import os from 'node:os';
import { type RawBuilder, sql } from 'kysely';
import { isOverText } from '../db/clock.ts';
import { aliveText, type Listener } from '../db/connect/listener.ts';
import { isSettledText } from '../db/connect/lives.ts';
import { type Db, isDistributed } from '../db/connect/pool.ts';
import { productVersion } from '../version.ts';

export interface ProcessRow {
  host: string;
  pid: number;
  version: string;
  roles: string[];
  started: string;
}

const alive = sql.raw(aliveText);

/** Writes down that this process serves the database, and forgets those that do not any more. */
export async function registerProcess(
  db: Db,
  { workerNumber }: Pick<Listener, 'workerNumber'>,
  { roles, keyIds }: { roles: Iterable<string>; keyIds: readonly string[] },
): Promise<void> {
  await sql`
    delete from processes where worker not in (${alive}) and ${sql.raw(isSettledText)}`.execute(db);
  await sql`
    insert into processes (worker, host, pid, version, roles, key_ids)
    values (${workerNumber}, ${os.hostname()}, ${process.pid}, ${productVersion()}, ${[...roles]}::text[],
      ${keyIds}::text[])`.execute(db);
}

/** The processes that are alive, by host. */
export async function listProcessesAnyAccount(db: Db): Promise<ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select host, pid, version, roles, started from processes where worker in (${alive})
    order by host, started, pid`.execute(db);
  return rows;
}

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
  if (!isDistributed(db)) return within;
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
