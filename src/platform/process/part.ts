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
