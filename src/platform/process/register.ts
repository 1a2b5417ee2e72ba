import os from 'node:os';
import { sql } from 'kysely';
import { aliveText, isSettledText, type Listener } from '../db/connect/listener.ts';
import type { Db } from '../db/connect/pool.ts';
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
