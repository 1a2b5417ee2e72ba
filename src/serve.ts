import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Config, readConfig } from './platform/config.ts';
import type { Connection } from './platform/db/connect/pool.ts';
import { migrate } from './platform/db/migrate.ts';
import { makeLog } from './platform/log.ts';
import { StartError } from './platform/process/start-error.ts';
import type { Running } from './start.ts';
import { keepServing } from './unhandled-errors.ts';
import { welcome } from './welcome.ts';

const progress = (line: string): void => console.log(line);

/** The life of the process: settings, database, migrations, roles, and an orderly end. */
export async function serve(env: Record<string, string | undefined>): Promise<void> {
  let database: Database | undefined;
  let running: Running | undefined;
  const stop = stopOnce(async () => {
    await running?.stop();
    await database?.stop();
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));
  try {
    const config = readConfig(env);
    await refuseTakenPort(config);
    // Reading the program takes as long as starting the database: both at once.
    const program = import('./start.ts');
    database = config.DATABASE_URL ? ownDatabase(config) : await embeddedDatabase(config, progress);
    await migrate(database.connection, { progress });
    const log = makeLog({ level: config.LOG_LEVEL, pretty: process.stdout.isTTY === true });
    database.onExit((description) => {
      log.fatal(`PostgreSQL ended (${description}). Start Parley again: it recovers by itself.`);
      process.exit(1);
    });
    keepServing(log);
    const { start } = await program;
    running = await start({ config, connection: database.connection, secretKey: await secretKey(config), log });
    await listen(running, config);
    console.log(welcome(running));
  } catch (error) {
    report(error);
    await stop(1);
  }
}

interface Database {
  connection: Connection;
  stop(): Promise<void>;
  onExit(listener: (description: string) => void): void;
}

const ownDatabase = ({ DATABASE_URL }: Config): Database => ({
  connection: { connectionString: DATABASE_URL },
  stop: async () => {},
  onExit: () => {},
});

async function embeddedDatabase(config: Config, progress: (line: string) => void): Promise<Database> {
  const { startEmbeddedPostgres } = await import('./platform/postgres/index.ts');
  return startEmbeddedPostgres({ directory: join(config.dataDir, 'postgres'), progress });
}

/** The key for stored secrets: the operator's, or one made once and kept beside the data. */
async function secretKey({ SECRET_KEY, dataDir }: Config): Promise<string> {
  if (SECRET_KEY) return SECRET_KEY;
  const file = join(dataDir, 'secret-key');
  await mkdir(dataDir, { recursive: true });
  // `wx`: of two processes that start together one writes, both read the same.
  await writeFile(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 }).catch(() => {});
  return readFile(file, 'utf8');
}

/** Before anything is started or made: somebody else may have the port. */
async function refuseTakenPort({ PORT, HOST }: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(portError(error, { PORT, HOST })));
    probe.listen(PORT, HOST, () => probe.close(() => resolve()));
  });
}

async function listen({ app }: Running, config: Config): Promise<void> {
  await app.listen({ port: config.PORT, host: config.HOST }).catch((error) => {
    throw portError(error, config);
  });
}

function portError(error: NodeJS.ErrnoException, { PORT, HOST }: Pick<Config, 'PORT' | 'HOST'>): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(`Port ${PORT} on ${HOST} is taken by another program. Stop it or set PORT to another one.`);
    case 'EACCES':
      return new StartError(`Port ${PORT} needs more rights than this user has. Set PORT to 1024 or above.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`HOST=${HOST} is not an address of this machine.`);
    default:
      return error;
  }
}

/** Ends the process in order, whoever asks first; a second Ctrl-C does not wait. */
function stopOnce(work: () => Promise<void>): (code: number) => Promise<void> {
  let stopping = false;
  return async (code) => {
    if (stopping) process.exit(1);
    stopping = true;
    await work().catch(report);
    process.exit(code);
  };
}

function report(error: unknown): void {
  console.error(error instanceof StartError ? error.message : error);
}
