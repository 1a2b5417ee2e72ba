import type { Caches } from './caches.ts';
import type { Listener } from './db/connect/listener.ts';
import { type Db, inTransaction } from './db/connect/pool.ts';
import type { Replica } from './db/connect/replica.ts';
import type { Observer } from './observe/observer.ts';
import { type Batches, unbatched } from './work/batches.ts';

/** What changes inside a transaction. */
export interface Transactional {
  db: Db;
  batches: Batches;
  caches: Caches;
  listener: Listener;
  observer?: Observer;
}

/**
 * Runs `work` in a transaction: the one that `deps` is in already, or a new one. There, nothing is batched with what others do;
 * caches keep to themselves what was looked up until it is committed; and notices leave with the commit, because whoever hears
 * one before it would look and find nothing; so does what is observed. A transaction that rolls back leaves nothing in the process and tells nobody.
 */
export async function within<D extends Transactional, T>(deps: D, work: (deps: D) => Promise<T>): Promise<T> {
  if (deps.db.isTransaction) return work(deps);
  let commit = (): void => {};
  const result = await inTransaction(deps.db, (db) => {
    // Anew for each attempt: one that ended in a deadlock is as if it had never begun.
    const branch = branchOf(deps, db);
    commit = branch.commit;
    return work(branch.deps);
  });
  commit();
  return result;
}

/**
 * What a transaction is given, or a part of one that may be rolled back by itself: what it leaves in the process, and whom it tells,
 * waits for `commit`.
 */
export function branchOf<D extends Transactional>(deps: D, db: Db): { deps: D; commit(): void } {
  const branch = deps.caches.branch();
  const notices = gatherNotices(deps.listener);
  const observed = deps.observer?.branch();
  const inside = { db, batches: unbatched, caches: branch.caches, listener: notices.listener };
  return {
    deps: { ...deps, ...inside, ...(observed && { observer: observed.observer }) },
    commit() {
      branch.commit();
      notices.leave();
      observed?.commit();
    },
  };
}

/**
 * For reading from a copy of the database that is up to date; undefined: there is none. Caches are told by the primary what to forget,
 * so what is looked up there stays there.
 */
export async function onReplica<D extends Transactional & { replica: Replica | undefined }>(
  deps: D,
): Promise<D | undefined> {
  const db = await deps.replica?.upToDate();
  return db && { ...deps, db, batches: unbatched, caches: deps.caches.branch().caches };
}

/** A listener whose notices wait. */
function gatherNotices(listener: Listener): { listener: Listener; leave(): void } {
  const waiting = new Map<string, [topic: string, detail: string]>();
  return {
    listener: { ...listener, signal: (topic, detail) => void waiting.set(`${topic}:${detail}`, [topic, detail]) },
    leave() {
      for (const [topic, detail] of waiting.values()) listener.signal(topic, detail);
    },
  };
}
