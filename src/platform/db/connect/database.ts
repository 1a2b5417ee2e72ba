import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool } from 'pg';
import type { LearningContent } from '../../content/content.ts';
import type { Log } from '../../log.ts';
import { noteCrowding } from './failure.ts';
import { type Connection, type Db, makeDb, makePool, type StatementLimits } from './pool.ts';
import { makeReplica, type Replica } from './replica.ts';
import { makeTraits } from './traits.ts';

/**
 * The connections of a process. Background work and requests have pools of their own: neither can keep the other from the database.
 * A statement of a request that takes too long, or waits too long for a lock, is given up; background work may take its time.
 */
export interface Database {
  /** For work that nobody waits for, such as that of workers and connectors. */
  background: Db;
  /** The connections of `background`, for a library that has statements of its own. */
  backgroundPool: Pool;
  /** For requests. */
  api: Db;
  /** For requests of one kind, which leave some connections to the other kinds. */
  apiFor(kind: string): Db;
  /** How content is stored, for all pools. */
  content: LearningContent;
  /** For requests and exports that only read. */
  replica: Replica | undefined;
  /** All pools, by the name that metrics have for them. */
  pools: Record<string, Pool>;
  /** null when nothing is known to be wrong, else a sentence for `/readyz`. */
  problem(): string | null;
  close(): Promise<void>;
}

const usualSize = 12;
/** The share of the connections for requests that requests of one kind may use; the rest is left to the other kinds. */
const partOfOneKind = 2 / 3;
const patienceMs = 5_000;
/** A disk counts as full until nothing has failed because of it for this long. */
const fullForMs = 30_000;

export function openDatabase(
  connection: Connection,
  log: Log,
  limits: StatementLimits,
  poolSize = usualSize,
): Database {
  let wasFullMs = Number.NEGATIVE_INFINITY;
  const onFull = (): void => {
    if (performance.now() - wasFullMs > fullForMs) log.error('The database has no room left on its disk. Make room.');
    wasFullMs = performance.now();
  };
  const traits = makeTraits();
  const { content } = traits;
  const backgroundPool = makePool(connection, log, { size: poolSize, isBackground: true, onFull, content });
  const apiPool = makePool(connection, log, { size: poolSize, limits, onFull, content });
  const kinds = new Map<string, Db>();
  const background = makeDb(backgroundPool, traits);
  const api = makeDb(apiPool, traits);
  const copy = 'connectionString' in connection ? connection.replica : undefined;
  const copyPool = copy && makePool(copy, log, { size: poolSize, limits, content });
  const copyDb = copyPool && makeDb(copyPool, traits);
  return {
    background,
    backgroundPool,
    api,
    content,
    pools: { api: apiPool, background: backgroundPool, ...(copyPool && { replica: copyPool }) },
    replica: copyDb && makeReplica({ primary: api, replica: copyDb, log }),
    apiFor(kind) {
      const known = kinds.get(kind);
      if (known) return known;
      const db = makeDb(shareOf(apiPool, { most: Math.floor(poolSize * partOfOneKind), patienceMs }), traits);
      kinds.set(kind, db);
      return db;
    },
    problem: () =>
      performance.now() - wasFullMs > fullForMs ? null : 'disk_full: the database has no room left on its disk.',
    async close() {
      await Promise.all([background.destroy(), api.destroy(), copyDb?.destroy()]);
    },
  };
}

/**
 * A part of a pool: one kind of work never uses more than `most` of its connections. A table that somebody has locked, or a slow
 * statement, then stops only the requests that need it; others find connections as before.
 */
function shareOf(pool: PostgresPool, { most, patienceMs }: { most: number; patienceMs: number }): PostgresPool {
  let used = 0;
  /** Who waits for a connection of this share, in order. */
  const waiting = new Set<() => void>();

  const enter = async (): Promise<void> => {
    if (used < most) {
      used++;
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

  /** Whoever waited longest takes the place over, so that `used` stays. */
  const leave = (): void => {
    const [next] = waiting;
    if (!next) {
      used--;
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
  const releaseOnce: typeof release = (...given) => {
    if (!isReleased) left();
    isReleased = true;
    release(...given);
  };
  client.release = releaseOnce;
  return client;
}
