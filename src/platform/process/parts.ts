import { availableParallelism } from 'node:os';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { EmbeddedServer } from '../db/connect/connection.ts';

/** What the supervisor and the processes that serve tell each other. */
export type ToPart =
  | { kind: 'begin'; part: Part; embedded: EmbeddedServer | undefined; secretKeys: string[]; port: number }
  | { kind: 'listen' }
  | { kind: 'stop' }
  | { kind: 'reload-certificates' }
  | { kind: 'read-metrics'; id: number }
  | { kind: 'all-metrics'; id: number; all: AllMetrics };

export type FromPart =
  | { kind: 'awaiting' }
  /** It has started, and listens when it is told to. */
  | { kind: 'started' }
  | { kind: 'ready'; first: FirstSecrets }
  /** A sentence for the person at the terminal, or the whole error. */
  | { kind: 'failed'; text: string; isSentence: boolean }
  | { kind: 'metrics'; id: number; metrics: Metrics }
  | { kind: 'gather-metrics'; id: number };

/** One of the processes of a server. */
export interface Part {
  /** From 1. The first has the carriers' connections: ports can be had once, and calls live in one process. */
  number: number;
  count: number;
}

export type Metrics = MetricObjectWithValues<MetricValue<string>>[];

export interface AllMetrics {
  of: Metrics[];
  /** Processes that did not answer in time. */
  silent: number;
  restarts: number;
}

/** Secrets that were made at this start, to be shown once. */
export interface FirstSecrets {
  token?: string;
  user?: { username: string; password: string };
}

/** By this variable a process knows that it is a part; whoever reads it removes it. */
export const partVariable = 'PARLEY_PROCESS';

/** Whether the part with that number has the carriers' connections. */
export const holdsConnections = ({ number }: Part): boolean => number === 1;

/** More do not help one PostgreSQL on the same machine. */
const mostByItself = 8;

/** How many processes serve: as the setting says, or by the machine, which keeps a core for PostgreSQL. */
export function countProcesses(setting: string, cores = availableParallelism()): number {
  if (setting !== 'auto') return Number(setting);
  return cores <= 2 ? 1 : Math.min(cores - 1, mostByItself);
}

/** Connections for requests, and as many for background work, of each of so many processes. */
export const poolSizeOf = (count: number): number => (count === 1 ? 12 : count <= 4 ? 8 : 6);

/** The one that listens. */
const otherConnections = 1;
/** For the supervisor, the command line, and an operator with psql. */
const spareConnections = 10;

/** What so many processes ask of PostgreSQL. */
export const connectionsOf = (count: number): number =>
  count * (2 * poolSizeOf(count) + otherConnections) + spareConnections;

/** The most processes, up to `count`, whose connections a PostgreSQL has room for. */
export function fittingProcesses(count: number, mostConnections: number): number {
  let fitting = count;
  while (fitting > 1 && connectionsOf(fitting) > mostConnections) fitting--;
  return fitting;
}

/**
 * What each of so many processes takes of the connections that the whole server may have. The kernel chooses the process by a hash of the
 * addresses, so some get more than an equal part: by chance alone none gets four standard deviations more.
 */
export function shareOfConnections(most: number, count: number): number {
  const equal = most / count;
  return Math.min(most, Math.ceil(equal + 4 * Math.sqrt(equal)));
}

const firstMs = 1_000;
const longestMs = 30_000;
/** Who lived for so long did not fail at the start. */
const soundMs = 60_000;

/** How long to wait before a process is started again, after the last such wait, if it lived for so long. */
export const restartDelayMs = (lastMs: number, livedMs: number): number =>
  lastMs === 0 || livedMs >= soundMs ? firstMs : Math.min(lastMs * 2, longestMs);
