import type { Log } from '../log.ts';
import type { Observer } from '../observe/observer.ts';

/**
 * Notes something that could not be dealt with even by itself, and that its part does not try again: in the log with its reason,
 * and at `/metrics`. `what` is its kind, in the plural.
 */
export function noteSetAside(
  { log, observer }: { log: Log; observer: Pick<Observer, 'setAside'> },
  what: string,
  error: Error,
  fields: { accountId: string } & Record<string, unknown>,
): void {
  observer.setAside(what);
  log.error({ err: error, what, ...fields }, `Could not be dealt with and was set aside: one of the ${what}`);
}
