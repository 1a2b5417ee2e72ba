import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { allowOwnReceivers, readConfig } from './platform/config.ts';
import { migrate, settlePooled } from './platform/db/migrate.ts';
import { StartError } from './platform/errors.ts';
import { readRing } from './platform/keys/read-ring.ts';
import { makeLog } from './platform/log.ts';
import { countProcesses, partVariable } from './platform/process/parts.ts';
import { hasCertificates } from './platform/tls/certificate-files.ts';
import { type Database, findPort, fitToDatabase, listen, openDatabase } from './prepare.ts';
import { startParts } from './supervise.ts';
import { keepServing } from './unhandled-errors.ts';
import { greet } from './welcome.ts';

const progress = (line: string): void => console.log(line);

/** What serves: this process, or several below it. */
interface Serving {
  stop(): Promise<void>;
  /** Ends at once what runs in other processes. */
  kill?(): void;
  reloadCertificates(): Promise<void> | void;
}

/**
 * The life of the process: settings, database, migrations, roles, and an orderly end. With several `PROCESSES` the roles run in
 * processes below this one, which starts them again when they end and loads nothing of the program itself.
 */
export async function serve(env: Record<string, string | undefined>): Promise<void> {
  const number = env[partVariable];
  if (number !== undefined) {
    delete env[partVariable];
    return (await import('./serve-part.ts')).servePart(env);
  }
  let database: Database | undefined;
  let serving: Serving | undefined;
  const stop = stopOnce(
    async () => {
      await serving?.stop();
      await database?.stop();
    },
    () => serving?.kill?.(),
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));
  try {
    const isOpen = allowOwnReceivers(env, process.stdout.isTTY === true);
    const config = readConfig(env);
    // In a terminal it says that the window was closed.
    if (hasCertificates(config) && !process.stdout.isTTY)
      process.on('SIGHUP', () => void Promise.resolve(serving?.reloadCertificates()).catch(report));
    const free = await findPort(config);
    // A process manager that uses `node:cluster` itself has made this one of several already.
    const wanted = cluster.isPrimary ? countProcesses(config.PROCESSES) : 1;
    let program: Promise<typeof import('./start.ts')> | undefined;
    // Reading the program keeps this process busy for as long as the database takes to start: that is launched first.
    const readProgram = (): void => {
      if (wanted > 1) return;
      program ??= import('./start.ts');
      program.catch(() => {});
    };
    database = await openDatabase(config, wanted, { progress, onLaunched: readProgram });
    readProgram();
    const { connection } = database;
    await migrate(connection, { progress });
    await settlePooled(connection);
    if (config.DATABASE_DISTRIBUTED === 'citus') {
      const { distribute } = await import('./platform/db/distribute/distribute.ts');
      await distribute(connection, { progress });
    }
    const count = await fitToDatabase(config, wanted, connection);
    const base = count === 1 ? {} : { process: 0 };
    const log = makeLog({ level: config.LOG_LEVEL, pretty: process.stdout.isTTY === true, base });
    database.onExit((description) => {
      log.fatal(`PostgreSQL ended (${description}). Start Parley again: it recovers by itself.`);
      serving?.kill?.();
      process.exit(1);
    });
    const unhandled = keepServing(log);
    if (isOpen)
      log.warn(
        'Webhooks may go to this machine, since the server runs in a terminal. WEBHOOK_ALLOW=none refuses that.',
      );
    const secretKeys = await readRing(config);
    if (count === 1) {
      const { start } = await (program ?? import('./start.ts'));
      const running = await start({ config, connection, secretKeys, log, unhandled });
      serving = running;
      await listen(running, config);
      const { port } = running.app.server.address() as AddressInfo;
      console.log(await greet({ config, port, first: running.first }));
    } else {
      const drainMs = config.CALL_DRAIN_SECONDS * 1000;
      const parts = startParts({ env, count, connection, secretKeys, port: free, drainMs, log });
      serving = parts;
      console.log(await greet({ config, port: free, first: await parts.ready }));
    }
  } catch (error) {
    report(error);
    await stop(1);
  }
}

/** One Ctrl-C may come twice: from the terminal, and from the process that started this one. Nobody presses it twice as quickly. */
const sameCtrlCMs = 250;

/** Ends the process in order, whoever asks first; a second Ctrl-C does not wait. */
function stopOnce(work: () => Promise<void>, kill: () => void): (code: number) => Promise<void> {
  let stoppingMs: number | undefined;
  return async (code) => {
    if (stoppingMs !== undefined) {
      if (performance.now() - stoppingMs < sameCtrlCMs) return;
      kill();
      process.exit(1);
    }
    stoppingMs = performance.now();
    await work().catch(report);
    process.exit(code);
  };
}

function report(error: unknown): void {
  console.error(error instanceof StartError ? error.message : error);
}
