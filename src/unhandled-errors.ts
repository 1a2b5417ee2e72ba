import { Counter, type Registry } from 'prom-client';
import type { Log } from './platform/log.ts';

type Kind = 'exception' | 'rejection';

/** How many there were since `keepServing`. */
export type UnhandledErrors = Readonly<Record<Kind, number>>;

export const noUnhandledErrors: UnhandledErrors = { exception: 0, rejection: 0 };

/** A fault that repeats must not fill the disk with its stack: beyond these, errors are only counted. */
const mostLogged = 20;
const windowMs = 60_000;

/**
 * The last resort: an error that nobody caught is logged with its stack and counted, and the process goes on serving. It belongs to
 * one request, packet or timer; ending the process would take all others with it. Whatever it left half done is recovered as after a
 * crash. Errors at the start are reported by `serve.ts` and still end it.
 */
export function keepServing(log: Log, nowMs: () => number = () => performance.now()): UnhandledErrors {
  const counts: Record<Kind, number> = { ...noUnhandledErrors };
  let sinceMs = nowMs();
  let logged = 0;
  const report = (kind: Kind, err: unknown): void => {
    counts[kind]++;
    if (nowMs() - sinceMs >= windowMs) {
      sinceMs = nowMs();
      logged = 0;
    }
    if (++logged > mostLogged) return;
    log.error({ err, kind }, 'An error that nobody handled. Please report it: it is a fault of Parley.');
  };
  process.on('uncaughtException', (error) => report('exception', error));
  process.on('unhandledRejection', (reason) => report('rejection', reason));
  return counts;
}

/** Shows the number of such errors at `/metrics`. An operator should be told of any. */
export function showUnhandledErrors(registry: Registry, counts: UnhandledErrors): void {
  new Counter({
    name: 'parley_unhandled_errors_total',
    help: 'Errors that no part handled; the process went on serving. Each is a fault of Parley.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, count] of Object.entries(counts)) this.inc({ kind }, count);
    },
  });
}
