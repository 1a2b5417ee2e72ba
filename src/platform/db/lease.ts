import { type RawBuilder, sql } from 'kysely';
import { seeLiving } from '../process/living.ts';
import { aliveText } from './connect/listener.ts';
import { type Db, isDistributed } from './connect/pool.ts';
import { distinctText } from './distinct.ts';

/**
 * Leases: things that one process has at a time, such as a connection or a registration. Each is a row of a table with the columns
 * `account_id`, a key, and `owner`, the number of the session lock that shows that the owner is alive (`listener.ts`). The table needs
 * an index of the owners, and one of rows that are wanted and free. Then a look reads only rows that this process has or can take.
 *
 *   free (no owner) ──take──▶ owned ──give back──▶ free
 *                              │ the owner's session is gone
 *                              ▼
 *                          deserted ──the session is back before the grace is over──▶ owned
 *                              └──the grace is over──▶ taken by another
 *
 * A process that lost its session for too long finds another owner in the row. So read the rows before you go on with a lease.
 */
export interface Leases {
  /**
   * Takes leases that are free, and those whose owner has been gone for the grace time; answers the keys of those that this process
   * got.
   */
  take(): Promise<Set<string>>;
  /** Gives back leases that are not wanted any more, also for owners that are gone; or all leases of this process. */
  giveBack(which: 'unwanted' | 'all'): Promise<void>;
}

export interface LeaseOptions {
  db: Db;
  workerNumber: number;
  table: string;
  key: string;
  /** SQL: whether any process is to have the row. */
  wanted: RawBuilder<unknown>;
  /** How many are taken at a time, so that processes which start together share what there is. */
  most: number;
  /** Milliseconds that only ever grow. */
  now(): number;
}

/** How long a process that lost its session keeps its leases. */
export const graceMs = 3000;

interface Free {
  account_id: string;
  key: string;
  /** The process that had it and is gone; null: nobody had it. */
  owner: number | null;
}

export function makeLeases({ db, workerNumber, wanted, most, now, ...names }: LeaseOptions): Leases {
  const [table, key] = [sql.table(names.table), sql.ref(names.key)];
  /** Since when a row was seen with an owner that is gone, by row and owner. */
  const deserted = new Map<string, number>();

  /** The owners that are gone. They are found among the distinct owners, of which there are few, without reading their rows. */
  const dead = sql`
    recursive ${sql.raw(distinctText('owners', { table: names.table, columns: ['owner'], condition: 'owner is not null' }))},
    alive as (${sql.raw(aliveText)}),
    dead as (select owner from owners where owner <> ${workerNumber} and owner not in (select worker from alive))`;

  /** Asks for these owners first: given as values, they let PostgreSQL see that there is little to read. */
  async function findDead(): Promise<number[]> {
    if (!isDistributed(db)) {
      const { rows } = await sql<{ owner: number }>`with ${dead} select owner from dead`.execute(db);
      return rows.map(({ owner }) => owner);
    }
    const { workers } = await seeLiving(db);
    const { rows } = await sql<{ owner: number }>`
      select distinct owner from ${table}
      where owner is not null and owner <> ${workerNumber} and owner <> all (${workers})`.execute(db);
    return rows.map(({ owner }) => owner);
  }

  async function find(): Promise<Free[]> {
    const owners = await findDead();
    const free = sql`select account_id, ${key} as key, owner from ${table} where (${wanted}) and owner is null limit ${most}`;
    const left = sql`select account_id, ${key} as key, owner from ${table}
      where (${wanted}) and owner = any (${owners}::integer[]) limit ${most}`;
    const { rows } = await sql<Free>`
      select * from ((${free}) ${owners.length === 0 ? sql`` : sql`union all (${left})`}) as free
      order by owner nulls first limit ${most}`.execute(db);
    return rows;
  }

  return {
    async take() {
      const seen = new Map((await find()).map((row) => [`${row.key} ${row.owner}`, row]));
      for (const id of deserted.keys()) if (!seen.has(id)) deserted.delete(id);
      for (const id of seen.keys()) if (!deserted.has(id)) deserted.set(id, now());
      const free = [...seen].filter(([id, { owner }]) => owner === null || deserted.get(id)! <= now() - graceMs);
      if (free.length === 0) return new Set();
      const rows = free.map(([, row]) => row);
      // Unless somebody else was faster.
      const taken = await sql<{ key: string }>`
        update ${table} as lease set owner = ${workerNumber}
        from unnest(${rows.map(({ account_id }) => account_id)}::uuid[], ${rows.map((row) => row.key)}::uuid[],
          ${rows.map(({ owner }) => owner)}::integer[]) as free (account_id, key, owner)
        where lease.account_id = free.account_id and lease.${key} = free.key and lease.owner is not distinct from free.owner
        returning free.key`.execute(db);
      return new Set(taken.rows.map((row) => row.key));
    },
    async giveBack(which) {
      if (which === 'all') await sql`update ${table} set owner = null where owner = ${workerNumber}`.execute(db);
      else {
        const owners = [...(await findDead()), workerNumber];
        await sql`
          update ${table} set owner = null where owner = any (${owners}::integer[]) and not (${wanted})`.execute(db);
      }
    },
  };
}
