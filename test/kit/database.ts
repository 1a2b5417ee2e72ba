import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { PostgresConnection } from '../../src/platform/postgres/index.ts';

/** The run's PostgreSQL. */
export interface TestServer extends PostgresConnection {
  /** The migrated database that every test database is a copy of. */
  template: string;
}

/** Hands the run's PostgreSQL from the set-up to the processes of the test files. */
export const testPostgresVariable = 'PARLEY_TEST_POSTGRES';

/** Set where many files run: then it pays to do once, for the template, what every first start does. */
export const filledTemplateVariable = 'PARLEY_TEST_FILLED_TEMPLATE';

/** The URL of a server with Citus, on which all test databases are distributed ones. */
export const citusUrl = process.env['CITUS_URL'] || undefined;

/** For tests of what is otherwise on a distributed database: plans and pages, locks, and databases of earlier versions. */
export const onlyPlain = { skip: citusUrl ? 'CITUS_URL names a server with Citus' : false };

const command = 'node --test --test-global-setup=test/kit/global-setup.ts <file>';

export interface TestDatabase {
  connection: PostgresConnection;
  /** What a process of its own is told as DATABASE_URL. */
  url: string;
  /** Cuts whatever is still connected. */
  drop(): Promise<void>;
}

/** A migrated, empty database of one's own. Copied as files: written to the log page by page, as is usual, it takes twice as long. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  createDatabase((template) => `template ${template} strategy file_copy`);

/** One in which there is nothing yet: whoever starts on it migrates it. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createDatabase(() => '');

async function createDatabase(how: (template: string) => string): Promise<TestDatabase> {
  const server = process.env[testPostgresVariable];
  if (!server) throw new Error(`Tests on a database need the set-up that starts PostgreSQL: ${command}`);
  const { template, ...admin }: TestServer = JSON.parse(server);
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  await run(admin, `create database ${database} ${how(template)}`);
  const connection = { ...admin, database };
  return {
    connection,
    url: databaseUrl(connection),
    drop: () => run(admin, `drop database ${database} with (force)`),
  };
}

/** Connections of a test's own. They may still be closing when the database is dropped, which then cuts them. */
export function makeTestPool(connection: PostgresConnection, max: number): pg.Pool {
  const pool = new pg.Pool({ ...connection, max });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** The host as a parameter: it may be the directory of a socket. */
export const databaseUrl = ({ host, port, user, password, database }: PostgresConnection): string =>
  `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;

async function run(connection: PostgresConnection, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
