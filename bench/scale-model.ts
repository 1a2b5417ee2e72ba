// node bench/scale-model.ts: prints the tables of docs/scale.md.
import { pathToFileURL } from 'node:url';
import type { Spent } from './kit/meter.ts';

/** So many of each. */
export type Traffic = Record<'messages' | 'sms' | 'calls' | 'clicks', number>;
export type Prediction = Spent;

/** What one of each costs, as `npm run bench -- costs` measured it. A message tells each of its steps to a webhook. */
export const costs: Record<keyof Traffic, Spent> = {
  messages: { nodeUs: 1471, postgresUs: 1322, walBytes: 19_959, operations: 4.24, storedBytes: 13_874 },
  sms: { nodeUs: 428, postgresUs: 300, walBytes: 2_962, operations: 0.81, storedBytes: 2_022 },
  calls: { nodeUs: 3443, postgresUs: 1638, walBytes: 7_166, operations: 3.86, storedBytes: 4_145 },
  clicks: { nodeUs: 47, postgresUs: 28, walBytes: 1_034, operations: 0.21, storedBytes: 732 },
};

/** What traffic costs altogether. */
export function predict(traffic: Traffic, times = 1): Prediction {
  const sum = (name: keyof Spent): number =>
    Object.entries(traffic).reduce((all, [kind, count]) => all + count * costs[kind as keyof Traffic][name], 0) * times;
  return {
    nodeUs: sum('nodeUs'),
    postgresUs: sum('postgresUs'),
    walBytes: sum('walBytes'),
    operations: sum('operations'),
    storedBytes: sum('storedBytes'),
  };
}

/** What goes with a message a day: seven of ten are chat messages, three are SMS. */
const mix: Traffic = { messages: 0.7, sms: 0.3, calls: 0.01, clicks: 0.2 };

/** What is taken for granted beside the costs. Change them to suit yourself, and run it again. */
export const assumptions = {
  /** The busiest second against the average of the day. */
  peak: 3,
  /** Of a processor, at the peak: the rest is for retries, vacuum, backups, and a host that is lost. */
  utilisation: 0.5,
  coresOfHost: 8,
  /** What several processes cost more for each message, because their batches are smaller (`npm run bench -- processes`). */
  severalProcesses: 1.54,
  /** Processor time of mixed traffic in small batches against that of one kind in large ones (`npm run bench -- model`). */
  smallBatches: 1.4,
  coresOfDatabase: 16,
  /** What one server may write of WAL and hand to its standby. */
  walBytesPerSecond: 100e6,
  /** Of a network volume. Operations are fewer at the peak: batches grow with the load. */
  operationsPerSecond: 16_000,
  /** What one server may hold: more takes too long to copy, to back up and to bring back. */
  storedBytesOfDatabase: 20e12,
  retentionDays: 90,
  /** Per month, in dollars: a processor with its memory, a gigabyte of SSD. */
  pricePerCore: 30,
  pricePerGigabyte: 0.1,
};

export interface Sizing {
  perDay: number;
  perSecond: number;
  parleyCores: number;
  databaseCores: number;
  walBytesPerSecond: number;
  hosts: number;
  shards: number;
  /** What decides how many databases there are. */
  bound: 'processor' | 'WAL' | 'disk operations' | 'disk';
  storedBytes: number;
  pricePerMonth: number;
}

/** What so many messages a day need. */
export function size(perDay: number, given = assumptions): Sizing {
  const perSecond = (perDay / 86_400) * given.peak;
  const counted = predict(mix, perSecond);
  const spent = {
    ...counted,
    nodeUs: counted.nodeUs * given.smallBatches,
    postgresUs: counted.postgresUs * given.smallBatches,
  };
  // Up to a core's worth one process does it all.
  const several = spent.nodeUs / 1e6 > given.utilisation ? given.severalProcesses : 1;
  const parleyCores = (spent.nodeUs / 1e6 / given.utilisation) * several;
  const databaseCores = spent.postgresUs / 1e6 / given.utilisation;
  const storedBytes = predict(mix, perDay).storedBytes * given.retentionDays;
  const needs = {
    processor: databaseCores / given.coresOfDatabase,
    WAL: spent.walBytes / given.walBytesPerSecond,
    'disk operations': spent.operations / given.operationsPerSecond,
    disk: storedBytes / given.storedBytesOfDatabase,
  };
  const [bound, shards] = Object.entries(needs).reduce((most, one) => (one[1] > most[1] ? one : most));
  // Each database has a standby of the same size.
  const cores = Math.max(1, Math.ceil(parleyCores)) + 2 * Math.max(1, Math.ceil(databaseCores));
  return {
    perDay,
    perSecond,
    parleyCores,
    databaseCores,
    walBytesPerSecond: spent.walBytes,
    hosts: Math.max(1, Math.ceil(parleyCores / given.coresOfHost)),
    shards: Math.max(1, Math.ceil(shards)),
    bound: bound as Sizing['bound'],
    storedBytes,
    pricePerMonth: cores * given.pricePerCore + 2 * (storedBytes / 1e9) * given.pricePerGigabyte,
  };
}

const sizes = [100_000, 1e6, 1e7, 1e8, 1e9];
const kinds = {
  messages: 'Chat message, READ, each step told to a webhook',
  sms: 'SMS, DELIVERED',
  calls: 'Call, forwarded, one second',
  clicks: 'Click on a link',
} as const;

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export const costTable = (): string =>
  table(
    ['', 'Parley, µs', 'PostgreSQL, µs', 'WAL, kB', 'Disk operations', 'Stored, kB'],
    Object.entries(kinds).map(([kind, name]) => {
      const { nodeUs, postgresUs, walBytes, operations, storedBytes } = costs[kind as keyof Traffic];
      return [name, nodeUs, postgresUs, kilo(walBytes), operations.toFixed(2), kilo(storedBytes)].map(String);
    }),
  );

export const sizeTable = (): string =>
  table(
    [
      'Messages a day',
      'At the peak, /s',
      'Cores for Parley',
      'Hosts of 8',
      'Cores for PostgreSQL',
      'WAL, MB/s',
      'Databases',
      'Bound by',
      'Stored in 90 days',
      'Price a month',
    ],
    sizes.map((perDay) => {
      const one = size(perDay);
      return [
        perDay.toLocaleString('en'),
        whole(one.perSecond),
        one.parleyCores.toFixed(1),
        String(one.hosts),
        one.databaseCores.toFixed(1),
        (one.walBytesPerSecond / 1e6).toFixed(1),
        String(one.shards),
        one.shards === 1 ? '—' : one.bound,
        one.storedBytes < 1e12 ? `${whole(one.storedBytes / 1e9)} GB` : `${(one.storedBytes / 1e12).toFixed(1)} TB`,
        `$${whole(one.pricePerMonth)}`,
      ];
    }),
  );

const kilo = (bytes: number): string => (bytes / 1000).toFixed(1);
const whole = (number: number): string => Math.ceil(number).toLocaleString('en');

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(`${costTable()}\n\n${sizeTable()}`);
