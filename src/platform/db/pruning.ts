import pg from 'pg';
import { DatabaseClient } from './connect/client.ts';
import { type Connection, directOf } from './connect/connection.ts';
import { clientOptions } from './connect/pool.ts';

/**
 * PostgreSQL 18 can crash where a statement has to look again at a row that somebody else changed, and reads a partition that it chooses
 * as it runs: see decision 65. Connections for background work do not choose partitions.
 */

/** A pooler passes no settings on: then every connection of our role to this database has this one. */
export async function settlePooled(connection: Connection): Promise<void> {
  if (!('isPooled' in connection) || !connection.isPooled) return;
  const client = new DatabaseClient(clientOptions(directOf(connection)));
  await client.connect();
  try {
    const { rows } = await client.query('select current_database() as name');
    const database = pg.escapeIdentifier(rows[0].name);
    await client.query(`alter role current_user in database ${database} set enable_partition_pruning = off`);
  } finally {
    await client.end();
  }
}
