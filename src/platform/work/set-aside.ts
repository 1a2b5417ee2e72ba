import { Counter, type Registry } from 'prom-client';
import type { Log } from '../log.ts';

/** What was set aside in this process, by kind; a registry that is asked reads it. */
const counts = new Map<string, number>();

/**
 * Notes something that could not be dealt with even by itself, and that its part does not try again: in the log with its reason,
 * and at `/metrics`. `what` is its kind, in the plural.
 */
export function noteSetAside(
  log: Log,
  what: string,
  error: Error,
  fields: { accountId: string } & Record<string, unknown>,
): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
  log.error({ err: error, what, ...fields }, `Could not be dealt with and was set aside: one of the ${what}`);
}

/** Shows what was set aside at `/metrics`. */
export function showSetAside(registry: Registry): void {
  new Counter({
    name: 'parley_set_aside_total',
    help: 'Rows that could not be dealt with, and were set aside so that others are not held up, by kind.',
    labelNames: ['what'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [what, count] of counts) this.inc({ what }, count);
    },
  });
}
