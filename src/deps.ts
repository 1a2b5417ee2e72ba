import type { Registry } from 'prom-client';
import type { Carriers } from './carriers/ports/carriers.ts';
import type { Inbox } from './carriers/ports/inbox.ts';
import { type Batches, unbatched } from './platform/batches.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Listener } from './platform/db/listener.ts';
import type { Db } from './platform/db/pool.ts';
import { routeFor } from './platform/http/route.ts';
import type { Log } from './platform/log.ts';
import { type Memories, noMemories } from './platform/memory.ts';
import type { Guards } from './platform/outbound/guard.ts';
import type { Queue, Task as TaskOf } from './platform/queue/queue.ts';
import type { Vault } from './platform/secrets.ts';
import type { Sounds } from './platform/speech/sounds.ts';

/** What every part of the product is given. Built once, in `main.ts`, and passed down. */
export interface Deps {
  /** The database; inside the transaction of an idempotent request, that transaction. */
  db: Db;
  queue: Queue;
  /** Gathers concurrent single calls into one statement. */
  batches: Batches;
  /** Answers of look-ups that may be a few seconds old. */
  memories: Memories;
  listener: Listener;
  carriers: Carriers;
  /** Where carriers bring what happens on their side. */
  inbox: Inbox;
  clock: Clock;
  vault: Vault;
  /** Where we connect to when a tenant says so. */
  guards: Guards;
  /** Speech, tones, and what MP3s sound like on a telephone. */
  sounds: Sounds;
  log: Log;
  /** Of this process, served at `/metrics`. */
  metrics: Registry;
  config: Config;
}

export type Task<P extends object = object> = TaskOf<Deps, P>;

/** Declares an operation; see `platform/http/route.ts`. */
export const route = routeFor<Deps>();

/** The same inside a transaction: what is looked up there must be fresh, and what is not committed stays there. */
export const insideOf = (deps: Deps, db: Db): Deps => ({
  ...deps,
  db,
  batches: unbatched,
  memories: noMemories(deps.memories),
});
