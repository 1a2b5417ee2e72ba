import { type RawBuilder, sql } from 'kysely';
import { seeLiving } from '../process/living.ts';
import { aliveText } from './connect/listener.ts';
import type { Db } from './connect/pool.ts';
import { distinctText } from './distinct.ts';
import { isDistributed } from './distribute/layout.ts';

/**
 * Things that one process holds at a time: a connection, a registration. Each is a row of a table with the columns `account_id`,
 * a key, and `owner`, the number of the session lock by which its holder shows that it lives (`listener.ts`). With an index of the
 * owners, and one of what is wanted and free, a look costs as much as this process holds and can take.
 *
 *   free (no owner) ──take──▶ held ──give back──▶ free
 *                              │ the holder's session is gone
 *                              ▼
 *                          deserted ──the session is back before the grace is over──▶ held
 *                              └──the grace is over──▶ taken by another
 *
 * Who lost its session and was too late finds another owner in the row: read the rows before you go on with what you hold.
 */
export interface Leases {
  /** Takes what nobody holds, and what its holder deserted a while ago; answers with the keys of what is now ours. */
  take(): Promise<Set<string>>;
  /** Gives back what is not wanted any more, and so for those who are no more; or everything that is ours. */
  giveBack(which: 'unwanted' | 'all'): Promise<void>;
}

export interface LeaseOptions {
  db: Db;
  workerNumber: number;
  table: string;
  key: string;
  /** SQL: whether a row is to be held by anybody. */
  wanted: RawBuilder<unknown>;
  /** How many are taken at a time, so that processes which start together share what there is. */
  most: number;
  /** Milliseconds that only ever grow. */
  now(): number;
}

/** A process that only lost its session for a moment keeps what it holds. */
export const graceMs = 3000;

interface Free {
  account_id: string;
  key: string;
  /** The process that had it and is no more; null: nobody had it. */
  owner: number | null;
}

export function makeLeases({ db, workerNumber, wanted, most, now, ...names }: LeaseOptions): Leases {
  const [table, key] = [sql.table(names.table), sql.ref(names.key)];
  /** Since when a row was seen with an owner who is no more, by row and owner. */
  const deserted = new Map<string, number>();

  /** The owners who are no more. There are few owners, so that neither what they hold nor what nobody wants is read for this. */
  const dead = sql`
    recursive ${sql.raw(distinctText('owners', { table: names.table, columns: ['owner'], condition: 'owner is not null' }))},
    alive as (${sql.raw(aliveText)}),
    dead as (select owner from owners where owner <> ${workerNumber} and owner not in (select worker from alive))`;

  /** They are asked for first: told as values, they let PostgreSQL see that there is little to read, or nothing. */
  async function findDead(): Promise<number[]> {
    if (!isDistributed()) {
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
        update ${table} as held set owner = ${workerNumber}
        from unnest(${rows.map(({ account_id }) => account_id)}::uuid[], ${rows.map((row) => row.key)}::uuid[],
          ${rows.map(({ owner }) => owner)}::integer[]) as free (account_id, key, owner)
        where held.account_id = free.account_id and held.${key} = free.key and held.owner is not distinct from free.owner
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
