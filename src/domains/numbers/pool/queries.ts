import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { NumberRange } from '../../../carriers/ports/carriers.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { keysetPage } from '../../../platform/db/page.ts';
import type { NumberPool } from '../../../platform/db/types.ts';
import { sandboxMode } from '../../accounts/index.ts';
import { nationalBeginsWith, type PoolRow } from '../queries.ts';
import type { NumberSearch } from '../schemas.ts';

/** A released number that has rested long enough is as good as one that was never sold. */
const isAvailable = sql<boolean>`(state <> 'ASSIGNED' and available_at <= now())`;

/** The carriers whose numbers reach nobody, and whether the account that asks may have them. */
export interface Fiction {
  carriers: readonly string[];
  isOffered: boolean;
}

// As literals, so that the index of the others serves.
const isFictional = ({ carriers }: Fiction): RawBuilder<boolean> =>
  carriers.length === 0
    ? sql<boolean>`false`
    : sql<boolean>`carrier in (${sql.join(carriers.map((name) => sql.lit(name)))})`;
const isReal = ({ carriers }: Fiction): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join([sql`true`, ...carriers.map((name) => sql`carrier <> ${sql.lit(name)}`)], sql` and `)})`;
const isOffered = (fiction: Fiction): RawBuilder<boolean> => (fiction.isOffered ? sql<boolean>`true` : isReal(fiction));

/** What a buyer asks for: everything given must hold. */
export interface Want {
  digits?: string | undefined;
  country?: string | undefined;
  prefix?: string | undefined;
  capabilities: string[];
}

export type Taken = Pick<Selectable<NumberPool>, 'digits' | 'national' | 'country' | 'capabilities' | 'carrier'>;

/**
 * Takes one number per want, in their order, or as many as there are. Rows that another buyer holds are passed over, so
 * buyers neither wait for each other nor get the same number. Equal wants are served together, the most particular first,
 * so that a loose want does not take the only number that a particular one could have. Fictional numbers come last.
 */
export async function takeFromPool(db: Db, wants: Want[], fiction: Fiction): Promise<(Taken | undefined)[]> {
  const kinds = [...Map.groupBy(wants, (want) => JSON.stringify(want)).values()].sort(byParticularity);
  const worlds = fiction.isOffered ? [isReal(fiction), isFictional(fiction)] : [isReal(fiction)];
  const picks = kinds.flatMap((equal, kind) => worlds.map((world) => ({ equal, kind, world })));
  const name = (pick: number) => sql.ref(`pick_${pick}`);
  const statements = picks.map(({ equal, kind, world }, pick) => {
    const earlier = picks
      .slice(0, pick)
      .map((_, before) => sql`and digits not in (select digits from ${name(before)})`);
    // What the first world had for this kind, the second need not have.
    const same = picks.flatMap((one, before) => (before < pick && one.kind === kind ? [before] : []));
    const found = same.map((before) => sql` - (select count(*) from ${name(before)})`);
    return sql`${name(pick)} as (
      select digits, ${sql.lit(kind)} as kind from number_pool
      where ${isAvailable} and ${world} and ${matches(equal[0]!)} ${sql.join(earlier, sql` `)}
      order by country, national limit ${equal.length}::bigint${sql.join(found, sql` `)} for update skip locked)`;
  });
  const { rows } = await sql<Taken & { kind: number }>`
    with ${sql.join(statements)},
    picked as (${sql.join(
      picks.map((_, pick) => sql`select * from ${name(pick)}`),
      sql` union all `,
    )})
    update number_pool set state = 'ASSIGNED' from picked where number_pool.digits = picked.digits
    returning kind, number_pool.digits, national, country, capabilities, carrier`.execute(db);
  const byKind = Map.groupBy(rows, (row) => row.kind);
  return wants.map((want) => byKind.get(kinds.findIndex((equal) => equal.includes(want)))?.shift());
}

const byParticularity = ([one]: Want[], [other]: Want[]): number =>
  Number(other!.digits !== undefined) - Number(one!.digits !== undefined) ||
  (other!.prefix ?? '').length - (one!.prefix ?? '').length ||
  other!.capabilities.length - one!.capabilities.length;

function matches(want: Want): RawBuilder<boolean> {
  const conditions = [sql<boolean>`capabilities @> ${sql.val(want.capabilities)}::text[]`];
  if (want.digits) conditions.push(sql`digits = ${want.digits}`);
  if (want.country) conditions.push(sql`country = ${want.country}`);
  if (want.prefix) conditions.push(nationalBeginsWith(want.prefix));
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

export function searchPool(db: Db, search: NumberSearch, fiction: Fiction) {
  let rows = db
    .selectFrom('number_pool')
    .select(['uuid', 'number', 'country', 'prefix', 'capabilities', 'carrier'])
    .where(isAvailable)
    .where(isOffered(fiction))
    .where(matches({ country: search.country_code, prefix: search.prefix, capabilities: search.capabilities ?? [] }));
  if (search.contains) rows = rows.where('digits', 'like', `%${search.contains}%`);
  const page = { page_size: search.page_size, cursor: search.cursor, ordering: 'created' as const };
  return keysetPage<PoolRow>(db, rows, page, { uuid: 'uuid', created: 'available_at' });
}

/** What the account can get, by country and prefix; about 1 ms per thousand free numbers. */
export const countPrefixes = (db: Db, country: string | undefined, fiction: Fiction) =>
  db
    .selectFrom('number_pool')
    .select((select) => ['country', 'prefix', 'capabilities', select.fn.countAll<number>().as('available')])
    .where(isAvailable)
    .where(isOffered(fiction))
    .$if(country !== undefined, (query) => query.where('country', '=', country!))
    .groupBy(['country', 'prefix', 'capabilities'])
    .orderBy('country')
    .orderBy('prefix')
    .execute();

/** How many numbers there are of each kind; the whole pool is read, about 0.1 s per million. */
export async function countPool(db: Db) {
  const { rows } = await sql<{ country: string; carrier: string; state: string; numbers: number }>`
    select country, carrier, case when state = 'COOLING' and available_at <= now() then 'AVAILABLE' else state end as state,
      count(*) as numbers
    from number_pool group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  return rows;
}

/** Lets a number rest before it is offered again. */
export async function coolDown(db: Db, digits: string, days: number): Promise<void> {
  await db
    .updateTable('number_pool')
    .set({ state: 'COOLING', available_at: sql`now() + make_interval(days => ${days})` })
    .where('digits', '=', digits)
    .execute();
}

/** Takes a number out of the pool for good; `TAKEN` while an account has it, undefined where the pool has none such. */
export async function withdrawNumber(db: Db, digits: string): Promise<'WITHDRAWN' | 'TAKEN' | undefined> {
  const { numDeletedRows } = await db
    .deleteFrom('number_pool')
    .where('digits', '=', digits)
    .where('state', '<>', 'ASSIGNED')
    .executeTakeFirst();
  if (numDeletedRows > 0n) return 'WITHDRAWN';
  const row = await db.selectFrom('number_pool').select('digits').where('digits', '=', digits).executeTakeFirst();
  return row && 'TAKEN';
}

export interface PoolSource {
  carrier: string;
  /** Changes when the ranges do. */
  checksum: string;
}

export const listSources = (db: Db): Promise<PoolSource[]> =>
  db.selectFrom('number_pool_sources').selectAll().execute();

export async function saveSources(db: Db, sources: PoolSource[]): Promise<void> {
  await db
    .insertInto('number_pool_sources')
    .values(sources)
    .onConflict((conflict) =>
      conflict.column('carrier').doUpdateSet((set) => ({ checksum: set.ref('excluded.checksum') })),
    )
    .execute();
}

/** A range of a carrier, with the length of the calling code that its numbers begin with. */
export interface PoolRange extends NumberRange {
  carrier: string;
  codeLength: number;
}

/** Adds every number of the ranges; one that the carrier had already offered gets what it now says of it. */
export async function addRanges(db: Db, ranges: PoolRange[]): Promise<void> {
  await sql`
    insert into number_pool (digits, country, prefix, national, capabilities, carrier)
    select digits, country, prefix, ltrim(substr(digits, 1 + "codeLength"), '0'), capabilities, carrier
    from json_to_recordset(${JSON.stringify(ranges)}) as range (
        first bigint, count integer, country text, prefix text, "codeLength" integer, capabilities text[], carrier text)
      cross join lateral (select (first + step)::text as digits from generate_series(0, count - 1) step) as number
    on conflict (digits) do update set prefix = excluded.prefix, capabilities = excluded.capabilities
      where number_pool.carrier = excluded.carrier`.execute(db);
}

/** Fictional numbers are for trying things out: whoever does not adopt what is unknown gets none. */
export const fictionFor = async (deps: Deps, accountId: string): Promise<Fiction> => ({
  carriers: [...deps.carriers.trials],
  isOffered: (await sandboxMode(deps, accountId)) === 'adopt',
});
