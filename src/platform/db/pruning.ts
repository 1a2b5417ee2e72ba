import pg from 'pg';
import type { Connection } from './connect/connection.ts';
import { openMigrator } from './migrate.ts';

/**
 * PostgreSQL 18 can crash where a statement has to look again at a row that somebody else changed, and reads a partition that it chooses
 * as it runs: see decision 65. Connections for background work do not choose partitions.
 */

const isSettledText = `select from pg_db_role_setting
  where setdatabase = (select oid from pg_database where datname = current_database()) and setrole = current_user::regrole
    and 'enable_partition_pruning=off' = any (setconfig)`;

/**
 * A pooler passes no settings on: then every connection of our role to this database has this one. Several hosts may start at once, so it
 * is set by one of them.
 */
export async function settlePooled(connection: Connection): Promise<void> {
  if (!('isPooled' in connection) || !connection.isPooled) return;
  const client = await openMigrator(connection, () => {});
  try {
    if ((await client.query(isSettledText)).rows.length > 0) return;
    const { rows } = await client.query('select current_database() as name');
    const database = pg.escapeIdentifier(rows[0].name);
    await client.query(`alter role current_user in database ${database} set enable_partition_pruning = off`);
  } finally {
    await client.end();
  }
}
