import { join } from 'node:path';
import { readConfig } from '../../platform/config.ts';
import { connectionOf } from '../../platform/db/connect/connection.ts';
import { migrate } from '../../platform/db/migrate.ts';

/** Brings the database up to this version without serving: your own, or the embedded one, which is started for it. */
export async function migrateDatabase(
  env: Record<string, string | undefined>,
  { json }: { json?: boolean },
): Promise<void> {
  const config = readConfig(env);
  const progress = (line: string): void => console.error(line);
  if (config.DATABASE_URL) {
    await migrate(connectionOf(config), { progress });
    if (config.DATABASE_DISTRIBUTED === 'citus') {
      const { distribute } = await import('../../platform/db/distribute/distribute.ts');
      await distribute(connectionOf(config), { progress });
    }
  } else {
    const { startEmbeddedPostgres } = await import('../../platform/postgres/index.ts');
    const postgres = await startEmbeddedPostgres({ directory: join(config.dataDir, 'postgres'), progress });
    await migrate(postgres.connection, { progress }).finally(() => postgres.stop());
  }
  console.log(json ? JSON.stringify({ migrated: true }) : 'The database is up to date.');
}
