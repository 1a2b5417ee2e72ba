import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { StartError } from '../errors.ts';
import type { Binaries } from './binaries.ts';
import { role } from './cluster.ts';
import { type PostgresConnection, takeGuard, tryConnect } from './guard.ts';
import type { Home, RuntimeDirectory } from './home.ts';
import { endServer, killLeftovers } from './processes.ts';
import { launch, type RunAs } from './run-as.ts';
import { inUse, makeWay } from './running.ts';

/** For one machine that Parley has to itself or shares with little else. */
const defaults: Record<string, string> = {
  max_connections: '60',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
  // Files of the log that are kept for later: a new one is filled with zeros first, and nobody commits for those 70 ms.
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failed statements reach Parley as errors, and it logs them; here they would only repeat people's data.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  max_logical_replication_workers: '0',
  cluster_name: 'parley',
};

const pollMs = 15;
const recoveryNoticeMs = 2_000;
/** Sessions of a killed server end by themselves within this time, unless they are busy or stopped. */
const leftoverPatienceMs = 2_000;
const obstacleLimitMs = 20_000;

interface ServerOptions {
  home: Home;
  runAs: RunAs;
  runtimeDirectory: string;
  settings: Record<string, string>;
  progress: (line: string) => void;
  onLaunched?: (() => void) | undefined;
}

/** A server that accepts sessions, and the session that guards it. */
interface Server {
  child: ChildProcess;
  guard: pg.Client;
  /** To the maintenance database, which holds nothing of Parley's. */
  connection: PostgresConnection;
}

/** Starts the server and waits until it accepts sessions, however long the recovery from a crash takes. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { home, runAs, progress, onLaunched } = options;
  const connection = await planConnection(home, options.runtimeDirectory);
  const startedMs = performance.now();
  for (;;) {
    const logStart = await logSize(home);
    const child = await spawnServer(options, connection);
    onLaunched?.();
    const guard = await waitForGuard(home, child, connection, progress).catch(async (error) => {
      await endServer(child.pid!, runAs.binaries, () => hasEnded(child));
      throw error;
    });
    if (guard) return { child, guard, connection };
    const log = (await readFile(home.logFile)).subarray(logStart).toString();
    const waitedMs = performance.now() - startedMs;
    if (/lock file "postmaster\.pid" (already exists|is empty)/.test(log) && waitedMs < obstacleLimitMs) {
      await makeWay(home, runAs.binaries, progress);
    } else if (/pre-existing shared memory block/.test(log) && waitedMs < obstacleLimitMs) {
      if (waitedMs > leftoverPatienceMs) await killLeftovers(home.pgdata);
      await sleep(100);
    } else {
      throw new StartError(`PostgreSQL did not start: ${summarise(log)}. Its log is ${home.logFile}.`);
    }
  }
}

/** Whether a child process has ended. */
const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Waits for the server's first session; undefined when the server ended instead. */
async function waitForGuard(
  home: Home,
  child: ChildProcess,
  connection: PostgresConnection,
  progress: (line: string) => void = () => {},
): Promise<pg.Client | undefined> {
  const noticeMs = performance.now() + recoveryNoticeMs;
  for (let noticed = false; !hasEnded(child); await sleep(pollMs)) {
    const client = await tryConnect(connection);
    const taken = await (client && takeGuard(client).catch(() => undefined));
    if (taken) return client;
    await client?.end().catch(() => {});
    if (taken === false) throw inUse(home, child.pid!);
    if (noticed || performance.now() < noticeMs) continue;
    progress('PostgreSQL is recovering from an unclean stop…');
    noticed = true;
  }
  return undefined;
}

/** In a process group of its own, so that a Ctrl-C reaches Parley alone, which finishes its work before it stops the server. */
async function spawnServer({ home, runAs, runtimeDirectory, settings }: ServerOptions, { port }: PostgresConnection) {
  const all = {
    ...defaults,
    ...(process.platform === 'win32'
      ? { listen_addresses: '127.0.0.1', unix_socket_directories: '' }
      : { listen_addresses: '', unix_socket_directories: runtimeDirectory, unix_socket_permissions: '0700' }),
    port: String(port),
    'parley.pid': String(process.pid),
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await open(home.logFile, 'a', 0o600);
  try {
    const child = launch(runAs, 'postgres', home.pgdata, args, { stdio: ['ignore', log.fd, log.fd], detached: true });
    await once(child, 'spawn');
    return child;
  } finally {
    await log.close();
  }
}

/** Unix sockets never touch the network. Windows has TCP only: on a free port of the loopback address. */
async function planConnection({ password }: Home, runtimeDirectory: string): Promise<PostgresConnection> {
  const windows = process.platform === 'win32';
  const place = windows ? { host: '127.0.0.1', port: await freePort() } : { host: runtimeDirectory, port: 5432 };
  return { ...place, user: role, password, database: 'postgres' };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}

const logSize = ({ logFile }: Home): Promise<number> =>
  stat(logFile).then(
    ({ size }) => size,
    () => 0,
  );

/** The reasons among the last lines of the log, without times and process numbers. */
function summarise(log: string): string {
  const reasons = log.match(/(?<=(FATAL|PANIC|ERROR|DETAIL):\s+).*/g) ?? log.trim().split('\n');
  return reasons.slice(-3).join('; ').replace(/\.$/, '') || 'it gave no reason';
}

// The life of a started server: serving → stopping → gone, or serving → gone when it dies unasked.

interface SuperviseOptions {
  home: Home;
  binaries: Binaries;
  runtime: RuntimeDirectory;
  server: Server;
}

/** Keeps the guard, reports an unasked end, and stops the server when asked. */
export function superviseServer({ home, binaries, runtime, server }: SuperviseOptions) {
  const { child, connection } = server;
  const pid = child.pid!;
  const listeners: ((description: string) => void)[] = [];
  let guard = server.guard;
  let ending: Promise<void> | undefined;
  let failure: string | undefined;

  const fail = (description: string) => {
    if (ending || failure) return;
    failure = description;
    for (const listener of listeners) listener(description);
  };

  // After the crash of one session the server restarts all of them by itself, and the guard is to be taken again.
  const keepGuard = () =>
    guard.once('end', async () => {
      if (ending || hasEnded(child)) return;
      const next = await waitForGuard(home, child, connection).catch(() => fail('another Parley took PostgreSQL over'));
      if (!next) return;
      guard = next;
      keepGuard();
    });

  const stop = async () => {
    await guard.end().catch(() => {});
    if (!hasEnded(child)) await endServer(pid, binaries, () => hasEnded(child));
    await runtime.remove();
  };

  keepGuard();
  child.once('exit', (code, by) => {
    fail(`PostgreSQL (process ${pid}) ended with ${by ?? `code ${code}`}; its log is ${home.logFile}`);
  });

  return {
    stop: () => (ending ??= stop()),
    onExit(listener: (description: string) => void) {
      listeners.push(listener);
      if (failure) listener(failure);
    },
  };
}
