import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, endChild, hasEnded, listTree, startChild } from './processes.ts';

export const root = path.dirname(path.dirname(import.meta.dirname));
/** Beside the checkout's own files, so that the disk is a real one; /tmp is memory on some systems. */
export const benchDirectory = path.join(root, '.bench');

const readyLimitMs = 120_000;
const token = 'bench-token-of-forty-characters-in-length';

/** A server on the loopback address, in a process of its own. */
export interface Server {
  url: string;
  token: string;
  /** The process that serves. */
  pid: number;
  /** From the spawn to the first 200 of the ready address. */
  readyMs: number;
  stop(): Promise<void>;
}

/** Node as `npm start` starts it. */
export const node: [string, ...string[]] = [process.execPath, '--max-semi-space-size=32'];

interface ParleyOptions {
  dataDirectory: string;
  roles?: string;
  /** Other settings, by the names they have in the environment. */
  settings?: Record<string, string>;
  /** `npm start` instead of the program itself. */
  viaNpm?: boolean;
}

/** Of all processes of the bench: some share a database. */
export const secretKey = 'for the bench alone';

/** A real Parley, with its own embedded PostgreSQL unless the settings name another; returns when it is ready. */
export function startParley(scope: AsyncDisposableStack, options: ParleyOptions): Promise<Server> {
  const command: [string, ...string[]] = options.viaNpm ? ['npm', 'start'] : [...node, 'src/main.ts'];
  return startServer(scope, () => command, '/readyz', {
    DATABASE_URL: '',
    DATA_DIR: options.dataDirectory,
    BOOTSTRAP_TOKEN: token,
    ROLES: options.roles ?? 'all',
    LOG_LEVEL: 'warn',
    PROCESSES: '1',
    // The limit per token is counted all the same, but must not be what is measured.
    REQUESTS_PER_MINUTE: '1000000000',
    ...options.settings,
  });
}

/** A Fastify server with bare routes and no database: what the machine can do at best. */
export const startBare = (scope: AsyncDisposableStack): Promise<Server> =>
  startServer(scope, () => [process.execPath, 'bench/kit/bare.ts'], '/', {});

/** Any server that listens on the port it is told, as `PORT` or by its command. */
export async function startServer(
  scope: AsyncDisposableStack,
  commandFor: (port: number) => [string, ...string[]],
  readyPath: string,
  settings: Record<string, string>,
): Promise<Server> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, HOST: '127.0.0.1', PORT: String(port), SECRET_KEY: secretKey, ...settings };
  const startedMs = performance.now();
  const child = startChild(scope, commandFor(port), { cwd: root, env }, endServer);
  await waitUntilReady(child, `${url}${readyPath}`);
  const readyMs = performance.now() - startedMs;
  return { url, token, pid: await findServing(child), readyMs, stop: () => endServer(child) };
}

async function waitUntilReady(child: Child, url: string): Promise<void> {
  const deadline = performance.now() + readyLimitMs;
  while (!hasEnded(child)) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    if (performance.now() > deadline) throw new Error(`The server is not ready after ${readyLimitMs / 1000} s`);
    await sleep(10);
  }
  throw new Error(`The server ended: ${child.lastWords()}`);
}

/** npm hands signals on to the shell below it but not reliably further: the server itself is asked to end, and npm follows. */
async function endServer(child: Child): Promise<void> {
  if (!hasEnded(child)) await endChild(child, await findServing(child));
}

async function findServing({ process }: Child): Promise<number> {
  const tree = await listTree(process.pid!);
  return tree.find(({ command }) => /^\S*node\S* \S*(src\/main|bench\/bare)\.ts/.test(command))?.pid ?? process.pid!;
}

/** A directory for one row, gone when the row has ended. */
export async function makeDataDirectory(scope: AsyncDisposableStack): Promise<string> {
  await mkdir(benchDirectory, { recursive: true });
  const directory = await mkdtemp(path.join(benchDirectory, 'data-'));
  scope.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

/** Calls the API; anything but a success is an error of the bench. */
export async function call<T>(server: Server, method: string, target: string, body?: unknown): Promise<T> {
  const answer = await fetch(new URL(target, server.url), {
    method,
    headers: { authorization: `Token ${server.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${target}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
