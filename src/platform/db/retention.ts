import { type RawBuilder, sql } from 'kysely';
import { pause } from '../time/pause.ts';
import { type Db, isDistributed } from './connect/pool.ts';

/** Rows that are removed together: tables with the same ids and the same partitions, and the exceptions to removal by age. */
export interface RetentionRule {
  /** The first table decides what may go; the others have rows that belong to its rows. */
  tables: readonly [Aging, ...Aging[]];
  /** The column that tells rows of the first table with the same id from each other. */
  second?: string;
  /** Rows that wait for something. They are not removed, nor is a partition that has any. */
  waiting?: {
    /** The table that lists them by id, if that is not the first one. */
    listed?: Aging;
    /** Which of the listed rows wait; `before` is the id below which rows are old. Left out: all of them. */
    when?(before: string): RawBuilder<unknown>;
  };
  /** Rows that stay for ever, each condition with an index of its own. They move to the first partition when theirs is removed. */
  forever?: readonly RawBuilder<unknown>[];
  /** The kind of data, for which an account may have a time of its own. */
  kind?: string;
  /** The tables have no partitions, so only rows can be removed. */
  isWhole?: boolean;
}

export interface Aging {
  name: string;
  /** The column with the id. */
  key: string;
}

/** Whether old partitions were removed. If not, rows in them wait, or somebody worked with the tables at every try. */
export type Dropped = 'gone' | 'waiting' | 'busy';

const lockTimeout = '100ms';
const mostTries = 10;
const pauseMs = 500;
const lockNotAvailable = '55P03';
/** No id is smaller. */
const nothing = '00000000-0000-0000-0000-000000000000';
const stillWaiting = new Error('Something in these partitions waits.');

/** The first partition. It has the rows that stay of removed partitions, and takes any id that is older than all others. */
const remainderOf = ({ name }: Aging): string => `${name}_000000`;

/**
 * Drops the partitions that end with `before` or earlier; how large they are makes no difference.
 *
 * All tables of a rule go in one transaction, so that nobody sees rows without what belongs to them. DETACH CONCURRENTLY
 * would lock less, but it takes one table at a time, in two transactions of its own, and leaves a partition half detached
 * if it is interrupted. Whoever comes while we wait for a lock has to wait as well: a tenth of a second for each table at most.
 */
export async function dropOldPartitionsAnyAccount(db: Db, rule: RetentionRule, before: string): Promise<Dropped> {
  const old = await findOldPartitionsAnyAccount(db, rule, before);
  if (old.length === 0) return 'gone';
  if (await isWaitedForAnyAccount(db, rule, before)) return 'waiting';
  for (let tried = 1; ; tried++) {
    try {
      await db.transaction().execute((db) => replaceAnyAccount(db, rule, before, old));
      return 'gone';
    } catch (error) {
      if (error === stillWaiting) return 'waiting';
      if ((error as { code?: string }).code !== lockNotAvailable) throw error;
      if (tried === mostTries) return 'busy';
      await pause(pauseMs);
    }
  }
}

/** The partitions that are old as a whole; none, if that is only the first one. */
async function findOldPartitionsAnyAccount(db: Db, { tables }: RetentionRule, before: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from (${partitionsOf(tables)}) as partition where ends <= ${before}::uuid`.execute(db);
  const isMonth = (name: string): boolean => !tables.some((table) => remainderOf(table) === name);
  return rows.some(({ name }) => isMonth(name)) ? rows.map(({ name }) => name) : [];
}

const partitionsOf = (tables: readonly Aging[]) => sql`
  select relname as name, substring(pg_get_expr(relpartbound, pg_class.oid) from 'TO \\(''(.+)''\\)')::uuid as ends
  from pg_inherits join pg_class on pg_class.oid = inhrelid
  where inhparent = any (${tables.map(({ name }) => name)}::regclass[])`;

async function replaceAnyAccount(db: Db, rule: RetentionRule, before: string, old: string[]): Promise<void> {
  const { tables, forever = [] } = rule;
  await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(db);
  // Rows that stay are never changed, so they can be copied before anything is locked.
  for (const table of tables) {
    const [all, next, key] = [sql.table(table.name), sql.table(`${remainderOf(table)}_next`), sql.ref(table.key)];
    // The check spares PostgreSQL a look at every row when it becomes a partition.
    await sql`create table ${next} (like ${all} including all, constraint old check (${key} < ${sql.lit(before)}))`.execute(
      db,
    );
    for (const stays of forever)
      await sql`insert into ${next} select * from ${all} where ${key} < ${before} and ${stays}`.execute(db);
  }
  const parents = tables.map(({ name }) => sql`only ${sql.table(name)}`);
  await sql`lock table ${sql.join(parents)} in access exclusive mode`.execute(db);
  // Somebody may have asked for a row again since we looked.
  if (await isWaitedForAnyAccount(db, rule, before)) throw stillWaiting;
  await sql`drop table ${sql.join(old.map((name) => sql.table(name)))}`.execute(db);
  for (const table of tables) {
    const past = sql.table(remainderOf(table));
    await sql`alter table ${sql.table(`${remainderOf(table)}_next`)} rename to ${past}`.execute(db);
    await sql`alter table ${sql.table(table.name)} attach partition ${past}
      for values from (minvalue) to (${sql.lit(before)})`.execute(db);
    await sql`alter table ${past} drop constraint old`.execute(db);
  }
}

async function isWaitedForAnyAccount(db: Db, { tables, waiting }: RetentionRule, before: string): Promise<boolean> {
  if (!waiting) return false;
  const { name, key } = waiting.listed ?? tables[0];
  const isWaitingIn = (alias: string) => sql`
    ${sql.ref(`${alias}.${key}`)} < ${before} and ${waiting.when?.(before) ?? sql`true`}`;
  if (isDistributed(db)) {
    const { rows } = await sql`
      select account_id from ${sql.table(name)} as one where ${isWaitingIn('one')} limit 1`.execute(db);
    return rows.length > 0;
  }
  const months = waiting.listed ? [name] : await findMonthsAnyAccount(db, tables[0], sql`${before}::uuid`);
  for (const month of months) {
    const { rows } = await sql`
      with recursive ${firstRows({ name: month, key }, sql`${before}::uuid`)}
      select 1 from first_row cross join lateral (
        select 1 from ${sql.table(month)} as one where one.account_id = first_row.account_id and ${isWaitingIn('one')}
        limit 1) as waiting
      limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
}

/** The partitions of a table that have ids from the one to below the other. */
async function findMonthsAnyAccount(db: Db, table: Aging, until: Id, beginning = nothing): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from (
      select name, ends, lag(ends, 1, ${nothing}::uuid) over (order by ends) as begins
      from (${partitionsOf([table])}) as partition) as month
    where begins < ${until} and ends > ${beginning}::uuid order by ends`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * SQL of a recursive CTE of each account's first row below an id, from one account's to the next one's along an index. Accounts without such
 * rows are passed over in the index: a page of it has some hundred rows.
 */
function firstRows({ name, key, condition = sql`true` }: AgingRows, until: Id, from = nothing): RawBuilder<unknown> {
  const id = sql.ref(key);
  const first = (isNext: RawBuilder<unknown>) => sql`
    select account_id, ${id} as id from ${sql.table(name)}
    where ${id} < ${until} and ${condition} and ${isNext} order by account_id, ${id} limit 1`;
  return sql`first_row as (
    (${first(sql`account_id >= ${from}::uuid`)})
    union all
    select next_row.* from first_row cross join lateral (${first(sql`account_id > first_row.account_id`)}) as next_row
  )`;
}

/** A row, by its id and what else tells it from others. */
export interface Place {
  id: string;
  second: string | null;
}

/** The id from which rows of an account may exist: older ones were removed with their partitions. */
export async function findBeginningAnyAccount(db: Db, { tables }: RetentionRule): Promise<Place> {
  const { rows } = await sql<{ id: string }>`
    select ends as id from (${partitionsOf(tables)}) as partition where name = ${remainderOf(tables[0])}`.execute(db);
  return { id: rows[0]?.id ?? nothing, second: null };
}

/** An account, and the id below which its things are old. */
export interface Keeping {
  uuid: string;
  before: string;
}

/** SQL of an id. */
type Id = RawBuilder<unknown>;

/** Rows that grow old, with an index that begins with `account_id` and `key`; all, or those that meet a condition. */
interface AgingRows extends Aging {
  condition?: RawBuilder<unknown>;
  /** The table has no partitions. */
  isWhole?: boolean;
}

/** What is old. */
export interface Old {
  /** The id below which things are old for an account of `accounts`; null: nothing is. */
  before: Id;
  /** The same for the account that keeps things for the shortest time. */
  youngest: Id;
  /** Where the rows begin that can go: what is older is in a partition of its own. */
  beginning?: string;
  /** Accounts from this one on. */
  from?: string;
}

/** What is old where there is no other time than that of the account. */
export const byRetentionDays: Old = {
  before: sql`uuid_floor(now() - make_interval(days => accounts.retention_days))`,
  youngest: sql`(select uuid_floor(now() - make_interval(days => min(retention_days))) from accounts)`,
};

/**
 * Accounts that have rows which are old for them, in the order of their ids. Rows that wait or stay count as well: to look for others takes
 * longer. What it costs goes by the accounts that have rows which are old for somebody.
 */
export async function findWithOldAnyAccount(db: Db, rows: AgingRows, old: Old): Promise<Keeping[]> {
  const names = rows.isWhole ? [rows.name] : await findMonthsAnyAccount(db, rows, old.youngest, old.beginning);
  const found = new Map<string, Keeping>();
  for (const name of names) {
    for (const one of await findInTableAnyAccount(db, { ...rows, name }, old)) found.set(one.uuid, one);
  }
  return [...found.values()].sort((one, other) => (one.uuid < other.uuid ? -1 : 1));
}

async function findInTableAnyAccount(
  db: Db,
  rows: AgingRows,
  { before, youngest, from = nothing }: Old,
): Promise<Keeping[]> {
  const { name, key, condition = sql`true` } = rows;
  const statement = isDistributed(db)
    ? sql<Keeping>`
        select distinct accounts.uuid, ${before} as before
        from ${sql.table(name)} as old join accounts on accounts.uuid = old.account_id
        where ${sql.ref(`old.${key}`)} < ${before} and ${condition} and old.account_id >= ${from}::uuid`
    : sql<Keeping>`
        with recursive ${firstRows(rows, youngest, from)}
        select first_row.account_id as uuid, kept.before from first_row cross join lateral (
          -- Looked up one by one: a join would read all accounts.
          select ${before} as before from accounts where accounts.uuid = first_row.account_id limit 1) as kept
        where first_row.id < kept.before`;
  return (await statement.execute(db)).rows;
}

/** The rows of an account that go next. */
export interface Slice {
  after: Place;
  before: string;
  most: number;
}

/** Deletes the next rows of an account that are older than `before`. Answers the last one; undefined: none is left. */
export const deleteOld = async (
  db: Db,
  accountId: string,
  rule: RetentionRule,
  slice: Slice,
): Promise<Place | undefined> => (await deleteStatement(accountId, rule, slice).execute(db)).rows[0];

/** Deletes rows, and what belongs to them, by one statement: whoever counts meanwhile counts all of it or nothing. */
export function deleteStatement(accountId: string, rule: RetentionRule, slice: Slice): RawBuilder<Place> {
  const { after, before, most } = slice;
  const { tables, second, forever = [] } = rule;
  const [{ name, key }, ...others] = tables;
  // Repeated for every table, so that PostgreSQL looks only at partitions that have such rows.
  const isBetween = (alias: string, column: string) => {
    const id = sql.ref(`${alias}.${column}`);
    return sql`${sql.ref(`${alias}.account_id`)} = ${accountId} and ${id} >= ${after.id} and ${id} < ${before}`;
  };
  const id = sql.ref(`old.${key}`);
  const more = second === undefined ? sql`null::text` : sql.ref(`old.${second}`);
  const conditions = [isBetween('old', key), sql`not ${isWaiting(rule, before)}`];
  if (after.second !== null) conditions.push(sql`(${id}, ${more}) > (${after.id}, ${after.second})`);
  conditions.push(...forever.map((stays) => sql`not ${stays}`));
  // Locked, so that none of them begins to wait again before it is removed. One that a worker has in hand is kept until the next night.
  const isLocked = rule.waiting !== undefined && rule.waiting.listed === undefined;
  const belonging = others.map(
    (other, index) => sql`${sql.ref(`belonging_${index}`)} as (
      delete from ${sql.table(other.name)} as other using expired
      where ${isBetween('other', other.key)} and ${sql.ref(`other.${other.key}`)} = expired.id),`,
  );
  return sql<Place>`
    with expired as materialized (
      select ${id} as id, ${more} as second from ${sql.table(name)} as old
      where ${sql.join(conditions, sql` and `)}
      order by 1, 2 limit ${most} ${isLocked ? sql`for update skip locked` : sql``}
    ), ${sql.join(belonging, sql` `)} gone as (
      delete from ${sql.table(name)} as old using expired
      where ${isBetween('old', key)} and ${id} = expired.id ${second === undefined ? sql`` : sql`and ${more} = expired.second`}
    )
    select id, second from expired order by 1 desc, 2 desc limit 1`;
}

function isWaiting({ tables: [{ key }], waiting }: RetentionRule, before: string): RawBuilder<unknown> {
  if (!waiting) return sql`false`;
  const when = waiting.when?.(before) ?? sql`true`;
  if (!waiting.listed) return sql`(${when})`;
  const { name, key: listedKey } = waiting.listed;
  return sql`exists (
    select 1 from ${sql.table(name)} as one
    where one.account_id = old.account_id and ${sql.ref(`one.${listedKey}`)} = ${sql.ref(`old.${key}`)} and ${when})`;
}

/** The tables partitioned by time. */
const partitioned = [
  'events',
  'messages',
  'message_states',
  'sms',
  'sms_states',
  'sms_parts',
  'campaign_recipients',
  'job_results',
  'calls',
  'webhook_deliveries',
  'webhook_attempts',
];

/** Makes the partitions of the next months; run hourly, it makes one a month. New ones are made like those that exist. */
export async function ensurePartitionsAnyAccount(db: Db): Promise<void> {
  await sql`
    select ensure_partitions(parent, now() + interval '3 months', coalesce(' with (' || (
      select array_to_string(reloptions, ', ') from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = parent order by relname desc limit 1) || ')', ''))
    from unnest(${partitioned}::regclass[]) as parent`.execute(db);
}
