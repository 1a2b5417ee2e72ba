import type { Listener } from './db/connect/listener.ts';
import { steadyMs } from './time/clock.ts';

/**
 * Answers of look-ups, kept for a few seconds so that a busy token or sender costs no query. Whoever changes what was looked up
 * calls `forget`: it is gone here at once and in other processes within a moment; should that notice get lost, the few seconds are
 * the longest that an old answer lives.
 */
export interface Cache<V> {
  get(key: string): V | undefined;
  /** Taken before a look-up and handed to `set`: an answer from before something was forgotten is not kept after it. */
  stamp(): number;
  set(key: string, value: V, stamp: number): void;
}

export interface Caches {
  of<V>(name: string, options?: CacheOptions): Cache<V>;
  /** Without a name: everything. */
  forget(name?: string): void;
  /** For a transaction; see `CacheBranch`. */
  branch(): CacheBranch;
}

interface CacheOptions {
  keptMs?: number;
  most?: number;
}

/**
 * The caches as a transaction sees them. What it looks up may not be committed yet, so it stays here until `commit`, and a
 * transaction that rolls back leaves nothing behind. What it has forgotten, because it changed it, it looks up afresh from then on;
 * for everybody else it is forgotten by `commit`, since until then they would find the old answer again.
 */
export interface CacheBranch {
  caches: Caches;
  commit(): void;
}

/** What processes tell each other to forget; the detail names the cache. */
export const forgetTopic = 'forget';
const usuallyMs = 5_000;
/**
 * So many come in before what nobody asked for meanwhile is dropped: strangers must not be able to fill the process, nor to drive
 * out what is asked for all the time.
 */
const usuallyMost = 50_000;

interface Entry {
  value: unknown;
  until: number;
}

interface Store {
  name: string;
  recent: Map<string, Entry>;
  /** What was recent before; asked for again, it is recent again. */
  older: Map<string, Entry>;
  most: number;
  stamp: number;
}

export function makeCaches(listener: Listener, now: () => number = steadyMs): Caches {
  const stores = new Map<string, Store>();
  const storeOf = (name: string, most?: number): Store => {
    const store = stores.get(name) ?? { name, recent: new Map(), older: new Map(), most: usuallyMost, stamp: 0 };
    stores.set(name, store);
    if (most !== undefined) store.most = most;
    return store;
  };
  // Without a name, notices may have been missed: nothing is certain any more.
  listener.on(forgetTopic, (name) => {
    for (const store of name === '' ? stores.values() : [storeOf(name)]) clear(store);
  });
  const currentOf = <V>(entry: Entry | undefined): V | undefined =>
    entry && entry.until > now() ? (entry.value as V) : undefined;

  const onLayer = (layer: Layer): Caches => ({
    of<V>(name: string, { keptMs = usuallyMs, most }: CacheOptions = {}): Cache<V> {
      const store = storeOf(name, most);
      return {
        get: (key) => currentOf<V>(layer.find(store, key)),
        stamp: () => store.stamp,
        set: (key, value, stamp) => layer.put(store, key, { value, until: now() + keptMs }, stamp),
      };
    },
    forget: (name = '') => layer.forget(name),
    branch() {
      const { commit, ...above } = makeLayer(layer);
      return { caches: onLayer(above), commit };
    },
  });

  return onLayer({
    find,
    put(store, key, entry, stamp) {
      if (stamp === store.stamp) put(store, key, entry);
    },
    forget: (name) => listener.signal(forgetTopic, name),
  });
}

/** What is known to whom: to everybody, or above that to a transaction, or to a part of one that may be rolled back by itself. */
interface Layer {
  find(store: Store, key: string): Entry | undefined;
  put(store: Store, key: string, entry: Entry, stamp: number): void;
  forget(name: string): void;
}

function makeLayer(below: Layer): Layer & { commit(): void } {
  const added = new Map<Store, Map<string, { entry: Entry; stamp: number }>>();
  const forgotten = new Set<string>();
  const isForgotten = ({ name }: Store): boolean => forgotten.has(name) || forgotten.has('');
  return {
    find: (store, key) =>
      isForgotten(store) ? undefined : (added.get(store)?.get(key)?.entry ?? below.find(store, key)),
    put(store, key, entry, stamp) {
      if (!isForgotten(store)) added.set(store, (added.get(store) ?? new Map()).set(key, { entry, stamp }));
    },
    forget: (name) => void forgotten.add(name),
    commit() {
      for (const [store, entries] of added) {
        for (const [key, { entry, stamp }] of entries) below.put(store, key, entry, stamp);
      }
      for (const name of forgotten) below.forget(name);
    },
  };
}

function clear(store: Store): void {
  store.recent.clear();
  store.older.clear();
  store.stamp++;
}

function put(store: Store, key: string, entry: Entry): void {
  if (store.recent.size >= store.most) {
    store.older = store.recent;
    store.recent = new Map();
  }
  store.recent.set(key, entry);
}

function find(store: Store, key: string): Entry | undefined {
  const entry = store.recent.get(key);
  if (entry) return entry;
  const older = store.older.get(key);
  if (older) put(store, key, older);
  return older;
}
