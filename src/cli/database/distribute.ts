import { readConfig } from '../../platform/config.ts';
import { connectionOf } from '../../platform/db/connect/connection.ts';
import { distribute, type Placed } from '../../platform/db/distribute/distribute.ts';
import type { Home } from '../../platform/db/distribute/layout.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { Complaint } from '../terminal.ts';

export interface DistributeOptions {
  dryRun?: boolean;
  json?: boolean;
}

const meanings: Record<Home, string> = {
  account: 'distributed by account_id',
  shortcode: 'distributed by shortcode',
  reference: 'reference table, whole on every node',
  local: 'local table, on the coordinator',
};

/** Spreads the database over a Citus cluster, or says what would become of each table. */
export async function distributeDatabase(
  env: Record<string, string | undefined>,
  { dryRun = false, json = false }: DistributeOptions,
): Promise<void> {
  const config = readConfig(env);
  if (!config.DATABASE_URL) {
    throw new Complaint(
      'The embedded PostgreSQL has no Citus. Set DATABASE_URL to the coordinator of your cluster.',
      2,
    );
  }
  const progress = (line: string): void => console.error(line);
  const connection = connectionOf(config);
  if (!dryRun) await migrate(connection, { progress });
  const placed = await distribute(connection, { progress, dryRun });
  if (json) console.log(JSON.stringify(placed.map(({ isThere, ...one }) => ({ ...one, was_there: isThere }))));
  else if (dryRun) for (const one of placed) console.log(lineOf(one));
  else console.log('The database is distributed.');
}

const lineOf = ({ table, home, isThere }: Placed): string =>
  `${table.padEnd(24)}${meanings[home]}${isThere && home !== 'local' ? ' (already)' : ''}`;
