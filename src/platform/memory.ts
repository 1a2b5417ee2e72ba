import { steadyMs } from './clock.ts';
import type { Listener } from './db/listener.ts';

/**
 * Answers of look-ups, remembered for a few seconds so that a busy token or sender costs no query. Whoever changes what was
 * looked up calls `forget`: it is gone here at once and in other processes within a moment; should that notice get lost, the
 * few seconds are the longest that an old answer lives.
 */
export interface Memory<V> {
  get(key: string): V | undefined;
  /** Taken before a look-up and handed to `set`: an answer from before something was forgotten is not remembered after it. */
  stamp(): number;
  set(key: string, value: V, stamp: number): void;
}

export interface Memories {
  of<V>(name: string, options?: { rememberedMs?: number; most?: number }): Memory<V>;
  /** Without a name: everything. */
  forget(name?: string): void;
}

const topic = 'forget';
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

interface Shelf {
  recent: Map<string, Entry>;
  /** What was recent before; asked for again, it is recent again. */
  older: Map<string, Entry>;
  most: number;
  stamp: number;
}

export function makeMemories(listener: Listener, now: () => number = steadyMs): Memories {
  const shelves = new Map<string, Shelf>();
  const shelfOf = (name: string): Shelf => {
    const shelf = shelves.get(name) ?? { recent: new Map(), older: new Map(), most: usuallyMost, stamp: 0 };
    shelves.set(name, shelf);
    return shelf;
  };
  const clear = (shelf: Shelf): void => {
    shelf.recent.clear();
    shelf.older.clear();
    shelf.stamp++;
  };
  const put = (shelf: Shelf, key: string, entry: Entry): void => {
    if (shelf.recent.size >= shelf.most) {
      shelf.older = shelf.recent;
      shelf.recent = new Map();
    }
    shelf.recent.set(key, entry);
  };
  const find = (shelf: Shelf, key: string): Entry | undefined => {
    const entry = shelf.recent.get(key);
    if (entry) return entry;
    const older = shelf.older.get(key);
    if (older) put(shelf, key, older);
    return older;
  };
  // Without a name, notices may have been missed: nothing is certain any more.
  listener.on(topic, (name) => {
    for (const shelf of name === '' ? shelves.values() : [shelfOf(name)]) clear(shelf);
  });

  return {
    of<V>(name: string, { rememberedMs = usuallyMs, most }: { rememberedMs?: number; most?: number } = {}): Memory<V> {
      const shelf = shelfOf(name);
      if (most !== undefined) shelf.most = most;
      return {
        get(key) {
          const entry = find(shelf, key);
          return entry && entry.until > now() ? (entry.value as V) : undefined;
        },
        stamp: () => shelf.stamp,
        set(key, value, stamp) {
          if (stamp === shelf.stamp) put(shelf, key, { value, until: now() + rememberedMs });
        },
      };
    },
    forget: (name = '') => listener.signal(topic, name),
  };
}

/** Inside a transaction: what is not committed yet must not be remembered, and what is looked up must be fresh. */
export const noMemories = (memories: Memories): Memories => ({
  of: () => ({ get: () => undefined, stamp: () => 0, set: () => {} }),
  forget: memories.forget,
});
