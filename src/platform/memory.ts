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
  of<V>(name: string): Memory<V>;
  /** Without a name: everything. */
  forget(name?: string): void;
}

const topic = 'forget';
const rememberedMs = 5_000;
/** A memory that grows beyond this starts anew: strangers must not be able to fill the process. */
const mostRemembered = 50_000;

interface Shelf {
  entries: Map<string, { value: unknown; until: number }>;
  stamp: number;
}

export function makeMemories(listener: Listener, now: () => number = Date.now): Memories {
  const shelves = new Map<string, Shelf>();
  const shelfOf = (name: string): Shelf => {
    const shelf = shelves.get(name) ?? { entries: new Map(), stamp: 0 };
    shelves.set(name, shelf);
    return shelf;
  };
  const clear = (shelf: Shelf): void => {
    shelf.entries.clear();
    shelf.stamp++;
  };
  // Without a name, notices may have been missed: nothing is certain any more.
  listener.on(topic, (name) => {
    for (const shelf of name === '' ? shelves.values() : [shelfOf(name)]) clear(shelf);
  });

  return {
    of<V>(name: string): Memory<V> {
      const shelf = shelfOf(name);
      return {
        get(key) {
          const entry = shelf.entries.get(key);
          return entry && entry.until > now() ? (entry.value as V) : undefined;
        },
        stamp: () => shelf.stamp,
        set(key, value, stamp) {
          if (stamp !== shelf.stamp) return;
          if (shelf.entries.size >= mostRemembered) shelf.entries.clear();
          shelf.entries.set(key, { value, until: now() + rememberedMs });
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
