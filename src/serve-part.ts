import cluster from 'node:cluster';
import { inspect } from 'node:util';
import { type Config, readConfig } from './platform/config.ts';
import { connectionOf } from './platform/db/connect/connection.ts';
import { StartError } from './platform/errors.ts';
import { mergeMetrics } from './platform/http/metrics.ts';
import { makeLog } from './platform/log.ts';
import { type AllMetrics, type FromPart, shareOfConnections, type ToPart } from './platform/process/parts.ts';
import { within } from './platform/time/pause.ts';
import { listen } from './prepare.ts';
import { type Running, start } from './start.ts';
import { keepServing } from './unhandled-errors.ts';

/** Longer than the supervisor waits for the others. */
const metricsMs = 3_000;

/**
 * The life of one of several processes: what it needs comes from the supervisor, over a channel that nobody else can read; so does
 * the word to stop. When the supervisor is gone, it ends in order, too.
 */
export async function servePart(env: Record<string, string | undefined>): Promise<void> {
  let running: Running | undefined;
  let isEnding = false;
  const end = async (code: number): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await running?.stop().catch((error) => console.error(error));
    process.exit(code);
  };
  // A Ctrl-C reaches the whole group: the supervisor says what is to be done.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => void end(0));
  cluster.worker!.on('disconnect', () => {
    // Otherwise Node ends the process at once.
    cluster.worker!.exitedAfterDisconnect = true;
    void end(0);
  });

  const { promise: begun, resolve: begin } = Promise.withResolvers<Extract<ToPart, { kind: 'begin' }>>();
  const { promise: mayListen, resolve: letListen } = Promise.withResolvers<void>();
  const asked = new Map<number, (all: AllMetrics) => void>();
  process.on('message', (message: ToPart) => {
    switch (message.kind) {
      case 'begin':
        return begin(message);
      case 'listen':
        return letListen();
      case 'stop':
        return void end(0);
      case 'reload-certificates':
        return void running?.reloadCertificates().catch((error) => console.error(error));
      case 'all-metrics':
        return asked.get(message.id)?.(message.all);
      case 'read-metrics':
        return void running?.deps.metrics
          .getMetricsAsJSON()
          .then((metrics) => tell({ kind: 'metrics', id: message.id, metrics }))
          .catch(() => {});
    }
  });
  await tell({ kind: 'awaiting' });

  const { part, embedded, secretKeys, port } = await begun;
  let lastId = 0;
  /** Asks the supervisor for what all processes count; if it does not answer, what this one does. */
  const readMetrics = async (own: Running['deps']['metrics']): Promise<string> => {
    const id = ++lastId;
    const { promise, resolve } = Promise.withResolvers<AllMetrics>();
    asked.set(id, resolve);
    await tell({ kind: 'gather-metrics', id });
    const all = await within(metricsMs, promise);
    asked.delete(id);
    return mergeMetrics(all ?? { of: [await own.getMetricsAsJSON()], silent: part.count - 1, restarts: 0 });
  };
  try {
    const config = shareOf({ ...readConfig(env), PORT: port }, part.count);
    const base = { process: part.number };
    const log = makeLog({ level: config.LOG_LEVEL, pretty: process.stdout.isTTY === true, base });
    const unhandled = keepServing(log);
    const connection = embedded ?? connectionOf(config);
    running = await start({ config, connection, secretKeys, log, unhandled, part, readMetrics });
    await tell({ kind: 'started' });
    await mayListen;
    await listen(running, config, true);
    await tell({ kind: 'ready', first: running.first });
  } catch (error) {
    const isSentence = error instanceof StartError;
    await tell({ kind: 'failed', text: isSentence ? error.message : inspect(error), isSentence });
    await end(1);
  }
}

/** Of what is set for the whole server and counted by each process. */
const shareOf = (config: Config, count: number): Config => ({
  ...config,
  MAX_CONNECTIONS: shareOfConnections(config.MAX_CONNECTIONS, count),
  MAX_CONNECTIONS_PER_ADDRESS: shareOfConnections(config.MAX_CONNECTIONS_PER_ADDRESS, count),
});

/** Whether or not it arrives: a supervisor that is gone shows by the end of the channel. */
const tell = (message: FromPart): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send!(message, undefined, undefined, () => resolve());
    else resolve();
  });
