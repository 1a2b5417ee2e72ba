import { setTimeout as sleep } from 'node:timers/promises';
import { addIdleAccountsText, scheduleForLaterText } from '../../test/kit/postgres/idle-accounts.ts';
import { waitUntilRead } from '../chat/through.ts';
import { type Figure, median, type Run } from '../figures.ts';
import { type Cpu, readCpu } from '../kit/cpu.ts';
import { type Database, startDatabase } from '../kit/database.ts';
import { postMessages } from '../kit/load.ts';
import { message, messagesPath } from '../kit/message.ts';
import { listTree, readPssKiB } from '../kit/processes.ts';
import { call, makeDataDirectory, type Server, startParley } from '../kit/server.ts';

const most = 1.1;
/** After the start: what is done once has been done. */
const restMs = 5_000;
const pollMs = 5;
const limitMs = 60_000;

/** What is measured: its unit, and whether more of it is better. */
const measures = {
  'processor time at rest, Node and PostgreSQL': { unit: 'ms/s', isRate: false },
  'from POST to READ, one at a time': { unit: 'ms', isRate: false },
  'POST a template message, ROLES=all': { unit: 'requests/s', isRate: true },
  'processor time of a message until it is READ': { unit: 'ms', isRate: false },
  'start, PostgreSQL running': { unit: 'ms', isRate: false },
  'memory at rest, Node and PostgreSQL': { unit: 'MiB', isRate: false },
} as const;
type Measured = Record<keyof typeof measures, number>;

/**
 * What accounts for which nothing is to be done cost a server: it is measured beside ten, a thousand and a hundred thousand of them,
 * each with a sender, an SMS link and a webhook, and a message and an SMS that are due in a month. Each size has a database of its own; they take turns, and the best
 * round of each counts: that is the one which other work on the machine disturbed least. Processor time tells more than the clock.
 */
export async function tenants({ scope, quick, progress }: Run): Promise<Figure[]> {
  const sizes = quick ? [10, 1_000] : [10, 1_000, 100_000];
  const rounds = quick ? 1 : 3;
  const directories = new Map<number, string>();
  for (const size of sizes) directories.set(size, await prepare(scope, size));
  const measured = new Map<number, Measured[]>(sizes.map((size) => [size, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [size, directory] of directories) {
      const found = await measure(scope, directory, quick);
      measured.get(size)!.push(found);
      progress(
        `${size}: ${JSON.stringify(found, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(3)) : value))}`,
      );
    }
  }
  const of = (size: number, name: keyof Measured): number =>
    (measures[name].isRate ? Math.max : Math.min)(...measured.get(size)!.map((one) => one[name]));
  const names = Object.keys(measures) as (keyof Measured)[];
  return names.flatMap((name) =>
    sizes.slice(1).map((size) => {
      const { unit, isRate } = measures[name];
      const [figure, reference] = [of(size, name), of(sizes[0]!, name)];
      const ratio = figure / reference;
      return {
        row: 'tenants',
        what: `${name}, beside ${size} idle accounts`,
        figure,
        unit,
        reference: { what: `beside ${sizes[0]}`, figure: reference },
        ratio,
        target: isRate ? `ratio ≥ ${(1 / most).toFixed(2)}` : `ratio ≤ ${most}`,
        met: isRate ? ratio >= 1 / most : ratio <= most,
      };
    }),
  );
}

/** A database with so many idle accounts, and one that is about to be busy: its sender is as fast as it can, and so are its people. */
async function prepare(scope: AsyncDisposableStack, size: number): Promise<string> {
  const directory = await makeDataDirectory(scope);
  const database = await startDatabase(scope, directory);
  const parley = await startOn(scope, directory, database);
  await call(parley, 'POST', '/v2/sandbox/clock/', { speed: 1000 });
  const { chatapp_number } = message;
  await call(parley, 'POST', '/v2/chatapp/accounts/', { chatapp_number, messages_per_second: 100_000 });
  await parley.stop();
  await database.client.query(addIdleAccountsText, [size]);
  await database.client.query(scheduleForLaterText);
  await database.client.query('vacuum analyze');
  await database.stop();
  return directory;
}

const startOn = (scope: AsyncDisposableStack, dataDirectory: string, { url }: Database): Promise<Server> =>
  startParley(scope, { dataDirectory, settings: { DATABASE_URL: url } });

async function measure(scope: AsyncDisposableStack, directory: string, quick: boolean): Promise<Measured> {
  const database = await startDatabase(scope, directory);
  const { rows } = await database.client.query('select pg_backend_pid() as pid');
  const { pid } = rows[0];
  const starts: number[] = [];
  for (let start = 1; start < (quick ? 1 : 3); start++) {
    const parley = await startOn(scope, directory, database);
    starts.push(parley.readyMs);
    await parley.stop();
  }
  const parley = await startOn(scope, directory, database);
  starts.push(parley.readyMs);
  await sleep(restMs);
  const seconds = quick ? 5 : 20;
  const before = await readCpu(parley.pid, pid);
  await sleep(seconds * 1000);
  const after = await readCpu(parley.pid, pid);
  const memory = await readMemoryMiB(parley.pid, pid);
  const ways: number[] = [];
  // The first ones find nothing prepared.
  for (let sent = 0; sent < (quick ? 10 : 40); sent++) ways.push(await timeWay(parley));
  await postMessages(scope, parley, 2);
  const first = await waitUntilRead(parley);
  const atFirst = await readCpu(parley.pid, pid);
  const load = await postMessages(scope, parley, quick ? 3 : 5);
  if (load.failed > 0) throw new Error(`${load.failed} messages were not accepted`);
  const last = await waitUntilRead(parley);
  const atLast = await readCpu(parley.pid, pid);
  await parley.stop();
  await database.stop();
  return {
    'processor time at rest, Node and PostgreSQL': (sumOf(after) - sumOf(before)) / seconds,
    'from POST to READ, one at a time': median(ways.slice(ways.length / 2)),
    'POST a template message, ROLES=all': load.requestsPerSecond,
    'processor time of a message until it is READ': (sumOf(atLast) - sumOf(atFirst)) / (last.accepted - first.accepted),
    'start, PostgreSQL running': Math.min(...starts),
    'memory at rest, Node and PostgreSQL': memory,
  };
}

const sumOf = ({ node, postgres }: Cpu): number => node + postgres;

/** How long one message takes until it has been read. */
async function timeWay(parley: Server): Promise<number> {
  const startedMs = performance.now();
  const { uuid } = await call<{ uuid: string }>(parley, 'POST', messagesPath, message);
  for (;;) {
    const { status } = await call<{ status: string }>(parley, 'GET', `${messagesPath}${uuid}/`);
    const tookMs = performance.now() - startedMs;
    if (status === 'READ') return tookMs;
    if (tookMs > limitMs) throw new Error(`A message is ${status} after ${limitMs / 1000} s`);
    await sleep(pollMs);
  }
}

/** Of a server and the PostgreSQL of a backend: proportional shares, or where they are not to be had, what is resident. */
async function readMemoryMiB(serverPid: number, backendPid: number): Promise<number> {
  const everything = await listTree(1);
  const postmaster = everything.find(({ pid }) => pid === backendPid)!.parent;
  const trees = [...(await listTree(serverPid)), ...(await listTree(postmaster))];
  const shares = await Promise.all(trees.map(async ({ pid, rssKiB }) => (await readPssKiB(pid)) ?? rssKiB));
  return shares.reduce((sum, kiB) => sum + kiB, 0) / 1024;
}
