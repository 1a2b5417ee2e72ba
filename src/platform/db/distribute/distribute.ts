import type pg from 'pg';
import { StartError } from '../../errors.ts';
import type { Connection } from '../connect/connection.ts';
import { openMigrator } from '../migrate.ts';
import { columnOf, type Home, homes, loosened, omittedKeys } from './layout.ts';

export interface Placed {
  table: string;
  home: Home;
  /** It was in its place already. */
  isThere: boolean;
}

export interface DistributeOptions {
  progress(line: string): void;
  /** Only tell what each table would become. */
  dryRun?: boolean;
}

/** The table that all others of accounts are co-located with. */
const first = 'chatapp_accounts';

/**
 * Spreads the tables of a migrated database over the nodes of a Citus cluster, as `layout.ts` says. Each table moves in a
 * transaction of its own: after an interruption a second run goes on, and leaves alone what is in its place.
 */
export async function distribute(connection: Connection, options: DistributeOptions): Promise<Placed[]> {
  const client = await openMigrator(connection, options.progress);
  try {
    if (options.dryRun) return await plan(client);
    await checkCitus(client);
    const placed = await plan(client);
    const left = placed.filter(({ home, isThere }) => home !== 'local' && !isThere);
    if (left.length === 0) return placed;
    options.progress(`Distributing the database (${left.length} tables)…`);
    await client.query(`create table if not exists ${keptKeys} (
      name text, referring text, referred text, definition text, primary key (referring, name))`);
    for (const one of left) await place(client, one);
    await client.query(`drop table ${keptKeys}`);
    return placed;
  } finally {
    await client.end();
  }
}

/** Every table of the schema with its home, in an order in which they can move: tables that others refer to go first. */
async function plan(client: pg.Client): Promise<Placed[]> {
  const { rows: tables } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`);
  const there = new Set(await namesOfDistributed(client));
  const known = tables.flatMap(({ name: table }) => {
    const home = homes.get(table);
    return home ? [{ table, home, isThere: home === 'local' || there.has(table) }] : [];
  });
  const { rows: references } = await client.query<{ from: string; to: string }>(`
    select distinct referring.relname as "from", referred.relname as "to" from pg_constraint
    join pg_class as referring on referring.oid = conrelid join pg_class as referred on referred.oid = confrelid
    where contype = 'f' and conrelid <> confrelid`);
  const ranks: Home[] = ['reference', 'shortcode', 'account', 'local'];
  const rankOf = ({ table, home }: Placed): number => ranks.indexOf(home) - (table === first ? 0.5 : 0);
  const waiting = known.toSorted((one, other) => rankOf(one) - rankOf(other));
  const ordered: Placed[] = [];
  while (waiting.length > 0) {
    const refersTo = (from: string, to: string): boolean =>
      references.some((reference) => reference.from === from && reference.to === to);
    const free = waiting.findIndex(({ table }) => !waiting.some((other) => refersTo(table, other.table)));
    ordered.push(...waiting.splice(Math.max(0, free), 1));
  }
  return ordered;
}

const isCitusText = "select exists (select 1 from pg_extension where extname = 'citus') as yes";

async function namesOfDistributed(client: pg.Client): Promise<string[]> {
  const { rows: extension } = await client.query(isCitusText);
  if (!extension[0].yes) return [];
  // Tables that Citus took in by itself, because they refer to one of its own, have neither column nor copies.
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where partmethod = 'h' or repmodel = 't'`);
  return rows.map(({ name }) => name);
}

async function checkCitus(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select current_setting('citus.shard_count', true) as shards");
  if (rows[0].shards === null) {
    throw new StartError(
      'This PostgreSQL has no Citus, so nothing can be distributed. Install the extension citus, put it into ' +
        'shared_preload_libraries, and restart the server; or leave DATABASE_DISTRIBUTED empty.',
    );
  }
  const { rows: extension } = await client.query(isCitusText);
  if (!extension[0].yes) {
    await client.query('create extension citus').catch((error: Error) => {
      throw new StartError(
        `The extension citus cannot be created in this database (${error.message}). Let an administrator run: create extension citus`,
      );
    });
  }
  const { rows: nodes } = await client.query(
    'select count(*) filter (where groupid = 0)::int as coordinators, count(*) filter (where groupid > 0)::int as workers from pg_dist_node',
  );
  if (nodes[0].workers > 0 && nodes[0].coordinators === 0) {
    throw new StartError(
      "The workers of this cluster do not know the coordinator. Tell them, by a name that they reach it by: select citus_set_coordinator_host('…')",
    );
  }
}

/**
 * The table of foreign keys that were dropped. Each is restored when both of its tables are in place; the table goes when all are.
 */
const keptKeys = 'distribution_keys';

/** Moves one table to its place, and restores its foreign keys with tables that are in theirs. */
async function place(client: pg.Client, { table, home }: Placed): Promise<void> {
  await client.query('begin');
  try {
    // Shards are made one after the other: several at once would see different states of the tables they refer to.
    await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
    await omitKeys(client, table);
    await takeKeysOff(client, table);
    await loosen(client, table);
    const target = client.escapeIdentifier(table);
    if (home === 'reference') await client.query('select create_reference_table($1)', [target]);
    else if (home !== 'local') {
      const companion = home === 'account' && table !== first ? first : 'none';
      await client.query('select create_distributed_table($1, $2, colocate_with => $3)', [
        target,
        columnOf(home),
        companion,
      ]);
    }
    await putKeysBack(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new StartError(`The table ${table} cannot be distributed: ${(error as Error).message}`, { cause: error });
  }
}

async function omitKeys(client: pg.Client, table: string): Promise<void> {
  const target = client.escapeIdentifier(table);
  const { rows } = await client.query<{ name: string }>(
    'select conname as name from pg_constraint where conrelid = $1::regclass and conname = any ($2::text[])',
    [target, omittedKeys],
  );
  for (const { name } of rows)
    await client.query(`alter table ${target} drop constraint ${client.escapeIdentifier(name)}`);
}

async function takeKeysOff(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ referring: string; name: string }>(
    `insert into ${keptKeys}
    select conname, referring.relname, referred.relname, pg_get_constraintdef(pg_constraint.oid) from pg_constraint
    join pg_class as referring on referring.oid = conrelid join pg_class as referred on referred.oid = confrelid
    where contype = 'f' and conparentid = 0 and $1::regclass in (conrelid, confrelid)
    on conflict do nothing
    returning referring, name`,
    [client.escapeIdentifier(table)],
  );
  for (const { referring, name } of rows) {
    await client.query(
      `alter table ${client.escapeIdentifier(referring)} drop constraint ${client.escapeIdentifier(name)}`,
    );
  }
}

async function loosen(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
    where schemaname = current_schema() and tablename = $1 and indexname = any ($2::text[]) and indexdef like 'CREATE UNIQUE%'`,
    [table, loosened],
  );
  for (const { name, definition } of rows) {
    await client.query(`drop index ${client.escapeIdentifier(name)}`);
    await client.query(definition.replace('CREATE UNIQUE INDEX', 'CREATE INDEX'));
  }
}

async function putKeysBack(client: pg.Client): Promise<void> {
  const there = await namesOfDistributed(client);
  const { rows } = await client.query<{ referring: string; name: string; definition: string }>(
    `delete from ${keptKeys} where referring = any ($1::text[]) and referred = any ($1::text[]) returning referring, name, definition`,
    [there],
  );
  for (const { referring, name, definition } of rows) {
    await client.query(
      `alter table ${client.escapeIdentifier(referring)} add constraint ${client.escapeIdentifier(name)} ${definition}`,
    );
  }
}
