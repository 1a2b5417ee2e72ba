// The life of each process: starting → started → ready → ended → (a pause) → starting …, until the server stops. At the first start
// none listens before all have started: connections that clients keep would otherwise all be with the first.
import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Connection } from './platform/db/connect/pool.ts';
import { StartError } from './platform/errors.ts';
import type { Log } from './platform/log.ts';
import {
  type AllMetrics,
  type FirstSecrets,
  type FromPart,
  type Metrics,
  partVariable,
  restartDelayMs,
  type ToPart,
} from './platform/process/parts.ts';
import { within } from './platform/time/pause.ts';

export interface PartsOptions {
  env: Record<string, string | undefined>;
  count: number;
  connection: Connection;
  secretKeys: string[];
  /** What they listen on, all the same one. */
  port: number;
  /** How long calls may go on after the word to stop. */
  drainMs: number;
  log: Log;
}

export interface Parts {
  /** When all of them serve; fails if one of them cannot start. */
  ready: Promise<FirstSecrets>;
  /** Lets all of them finish what they are doing. */
  stop(): Promise<void>;
  kill(): void;
  /** Lets all of them read certificates again. */
  reloadCertificates(): void;
}

interface Slot {
  number: number;
  worker: Worker | undefined;
  beganMs: number;
  hasStarted: boolean;
  isReady: boolean;
  /** Why it could not start. */
  failure: Error | undefined;
  delayMs: number;
  timer: NodeJS.Timeout | undefined;
}

const metricsMs = 1_000;
/** Each leaves behind what does not end within 25 seconds, and the time that calls have. */
const stopMs = 30_000;

/** Starts so many processes that share the port, and starts those again that end. */
export function startParts({ env, count, connection, secretKeys, port, drainMs, log }: PartsOptions): Parts {
  const { promise: ready, resolve, reject } = Promise.withResolvers<FirstSecrets>();
  let isServing = false;
  let isStopping = false;
  let restarts = 0;
  const first: FirstSecrets = {};
  // An operator's own is in the settings.
  const embedded = 'connectionString' in connection ? undefined : connection;
  const slots = Array.from({ length: count }, (_, index): Slot => {
    return {
      number: index + 1,
      worker: undefined,
      beganMs: 0,
      hasStarted: false,
      isReady: false,
      failure: undefined,
      delayMs: 0,
      timer: undefined,
    };
  });
  const { promise: allEnded, resolve: noteAllEnded } = Promise.withResolvers<true>();
  const gathering = makeGathering(slots, () => restarts);
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('./main.ts', import.meta.url)),
    args: [],
    // Plain JSON has no NaN, which some metrics are.
    serialization: 'advanced',
  });

  const begin = (slot: Slot): void => {
    slot.timer = undefined;
    slot.hasStarted = slot.isReady = false;
    slot.failure = undefined;
    slot.beganMs = performance.now();
    const worker = cluster.fork({ ...env, [partVariable]: String(slot.number) });
    slot.worker = worker;
    worker.on('error', () => {});
    worker.on('message', (message: FromPart) => take(slot, worker, message));
    worker.once('exit', (code, signal) => {
      const how = signal ?? `code ${code}`;
      // What it said last may not have been read yet.
      if (worker.isConnected()) worker.once('disconnect', () => noteEnd(slot, how));
      else noteEnd(slot, how);
    });
  };

  const take = (slot: Slot, worker: Worker, message: FromPart): void => {
    switch (message.kind) {
      case 'awaiting':
        tell(worker, { kind: 'begin', part: { number: slot.number, count }, embedded, secretKeys, port });
        if (isStopping) tell(worker, { kind: 'stop' });
        return;
      case 'started':
        slot.hasStarted = true;
        if (isServing) tell(worker, { kind: 'listen' });
        else if (slots.every(({ hasStarted }) => hasStarted))
          for (const { worker } of slots) tell(worker!, { kind: 'listen' });
        return;
      case 'ready':
        slot.isReady = true;
        Object.assign(first, message.first);
        if (isServing) {
          log.info(`Process ${slot.number} serves again.`);
          return;
        }
        isServing = slots.every(({ isReady }) => isReady);
        if (isServing) resolve(first);
        return;
      case 'failed':
        slot.failure = message.isSentence ? new StartError(message.text) : new Error(message.text);
        return;
      case 'metrics':
        gathering.take(slot, message);
        return;
      case 'gather-metrics':
        gathering
          .gather()
          .then((all) => tell(worker, { kind: 'all-metrics', id: message.id, all }))
          .catch(() => {});
    }
  };

  const noteEnd = (slot: Slot, how: string): void => {
    slot.worker = undefined;
    slot.isReady = false;
    if (isStopping) {
      if (slots.every(({ worker }) => !worker)) noteAllEnded(true);
      return;
    }
    if (!isServing) {
      reject(slot.failure ?? new StartError(`Process ${slot.number} ended with ${how} before it was ready.`));
      return;
    }
    restarts++;
    slot.delayMs = restartDelayMs(slot.delayMs, performance.now() - slot.beganMs);
    const why = slot.failure ? `could not start: ${slot.failure.message}` : `ended with ${how}.`;
    log.error(`Process ${slot.number} ${why} It is started again in ${slot.delayMs / 1000} s.`);
    slot.timer = setTimeout(() => begin(slot), slot.delayMs);
  };

  const kill = (): void => {
    for (const { worker } of slots) worker?.process.kill('SIGKILL');
  };

  for (const slot of slots) begin(slot);
  return {
    ready,
    kill,
    reloadCertificates() {
      for (const { worker } of slots) if (worker) tell(worker, { kind: 'reload-certificates' });
    },
    async stop() {
      isStopping = true;
      for (const { timer, worker } of slots) {
        clearTimeout(timer);
        if (worker) tell(worker, { kind: 'stop' });
      }
      if (slots.every(({ worker }) => !worker)) return;
      if (await within(stopMs + drainMs, allEnded)) return;
      log.error('Some processes did not stop in time, and are killed.');
      kill();
      await allEnded;
    },
  };
}

/** Asks all processes for their metrics; who does not answer within a second is left out. */
function makeGathering(slots: Slot[], restarts: () => number) {
  const open = new Map<number, { of: Map<number, Metrics>; whole: () => void }>();
  let lastId = 0;
  return {
    take({ number }: Slot, { id, metrics }: Extract<FromPart, { kind: 'metrics' }>): void {
      const round = open.get(id);
      round?.of.set(number, metrics);
      if (round?.of.size === slots.length) round.whole();
    },
    async gather(): Promise<AllMetrics> {
      const id = ++lastId;
      const of = new Map<number, Metrics>();
      const { promise, resolve: whole } = Promise.withResolvers<void>();
      open.set(id, { of, whole });
      for (const { worker } of slots) if (worker) tell(worker, { kind: 'read-metrics', id });
      await within(metricsMs, promise);
      open.delete(id);
      return { of: [...of.values()], silent: slots.length - of.size, restarts: restarts() };
    },
  };
}

/** Whether or not it arrives: one that is gone is noticed by its end. */
function tell(worker: Worker, message: ToPart): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
