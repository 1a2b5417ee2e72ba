import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { PoolEntry } from './entry.ts';

export interface Filled {
  added: number;
  updated: number;
}

const asNew = { carrier: 'external', capabilities: ['VOICE', 'SMS'] };

/** What the pool is to say of each number: what the entry says, else what the pool said, else what is likely. */
const wanted = (entries: PoolEntry[]): RawBuilder<unknown> => sql`
  select given.digits, given.national, pool.digits is null as is_new,
    coalesce(given.country, pool.country, likely ->> 'country') as country,
    coalesce(given.prefix, pool.prefix, likely ->> 'prefix') as prefix,
    coalesce(given.capabilities, pool.capabilities, ${sql.val(asNew.capabilities)}::text[]) as capabilities,
    coalesce(given.carrier, pool.carrier, ${asNew.carrier}) as carrier
  from json_to_recordset(${JSON.stringify(entries)}) as given (
      digits text, national text, country text, prefix text, capabilities text[], carrier text, likely json)
    left join number_pool as pool on pool.digits = given.digits
  where pool.state is distinct from 'ASSIGNED'`;

const differs = (from: string) => sql`
  (number_pool.country, number_pool.prefix, number_pool.capabilities, number_pool.carrier) is distinct from
  (${sql.ref(`${from}.country`)}, ${sql.ref(`${from}.prefix`)}, ${sql.ref(`${from}.capabilities`)}, ${sql.ref(`${from}.carrier`)})`;

export async function putEntries(db: Db, entries: PoolEntry[]): Promise<Filled> {
  // In one order, so that two imports of the same numbers cannot deadlock.
  const { rows } = await sql<Filled>`
    with written as (
      insert into number_pool (digits, national, country, prefix, capabilities, carrier)
      select digits, national, country, prefix, capabilities, carrier from (${wanted(entries)}) as wanted order by digits
      on conflict (digits) do update set country = excluded.country, prefix = excluded.prefix,
        capabilities = excluded.capabilities, carrier = excluded.carrier
      where number_pool.state <> 'ASSIGNED' and ${differs('excluded')}
      -- A row that this statement made has no earlier version.
      returning xmax = 0 as is_new)
    select count(*) filter (where is_new) as added, count(*) filter (where not is_new) as updated from written`.execute(
    db,
  );
  return rows[0]!;
}

/** What `putEntries` would do. */
export async function foreseeEntries(db: Db, entries: PoolEntry[]): Promise<Filled> {
  const { rows } = await sql<Filled>`
    select count(*) filter (where is_new) as added, count(*) filter (where not is_new and ${differs('wanted')}) as updated
    from (${wanted(entries)}) as wanted left join number_pool on number_pool.digits = wanted.digits`.execute(db);
  return rows[0]!;
}

/** How many numbers there are of each kind; the whole pool is read, about 0.1 s per million. */
export async function countPool(db: Db) {
  const { rows } = await sql<{ country: string; carrier: string; state: string; numbers: number }>`
    select country, carrier, case when state = 'COOLING' and available_at <= now() then 'AVAILABLE' else state end as state,
      count(*) as numbers
    from number_pool group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  return rows;
}
