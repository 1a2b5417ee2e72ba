import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { noteCrowding } from './connect/failure.ts';

/**
 * A part of a pool: one kind of work never holds more than `most` of its connections. A table that somebody has locked, or a
 * statement that takes long, stops those who ask for just that; the others find connections as ever.
 */
export function shareOf(pool: PostgresPool, { most, patienceMs }: { most: number; patienceMs: number }): PostgresPool {
  let held = 0;
  /** Those who wait for one of the share's connections, the first first. */
  const waiting = new Set<() => void>();

  const enter = async (): Promise<void> => {
    if (held < most) {
      held++;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      waiting.delete(resolve);
      const error = new Error(`No connection was free within ${patienceMs} ms: others of this kind hold ${most}.`);
      noteCrowding(error);
      reject(error);
    }, patienceMs);
    waiting.add(resolve);
    await promise;
    clearTimeout(timer);
  };

  /** Whoever waited longest takes the place over, so that `held` stays. */
  const leave = (): void => {
    const [next] = waiting;
    if (!next) {
      held--;
      return;
    }
    waiting.delete(next);
    next();
  };

  return {
    async connect() {
      await enter();
      try {
        return releasing(await pool.connect(), leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
    end: () => pool.end(),
    options: pool.options,
  };
}

/** The pool gives a client another `release` each time it hands it out. */
function releasing(client: PostgresPoolClient, left: () => void): PostgresPoolClient {
  const release = client.release.bind(client);
  let isReleased = false;
  client.release = (...given) => {
    if (!isReleased) left();
    isReleased = true;
    release(...given);
  };
  return client;
}
