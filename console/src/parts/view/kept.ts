import { useCallback, useSyncExternalStore } from 'react';
import { useHere } from '../account.tsx';

const watchers = new Set<() => void>();
window.addEventListener('storage', () => {
  for (const watcher of watchers) watcher();
});

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
};

/** Where the browser may keep nothing, it is kept until the page is left. */
const inMemory = new Map<string, string>();

function read(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? inMemory.get(key) ?? null;
  } catch {
    return inMemory.get(key) ?? null;
  }
}

function write(key: string, text: string): void {
  inMemory.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // It is in memory.
  }
  for (const watcher of watchers) watcher();
}

/** A list of things that this browser keeps for whoever is signed in; other tabs see a change at once. */
export function useKept<T>(name: string, isOne: (value: unknown) => value is T): [T[], (next: T[]) => void] {
  const { session } = useHere();
  const key = `parley-kept ${session.account.uuid} ${session.user?.username ?? ''} ${name}`;
  const text = useSyncExternalStore(watch, () => read(key));
  const set = useCallback((next: T[]) => write(key, JSON.stringify(next)), [key]);
  return [parse(text, isOne), set];
}

/** What was kept by another version, or changed by hand, may be anything. */
export function parse<T>(text: string | null, isOne: (value: unknown) => value is T): T[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter(isOne) : [];
  } catch {
    return [];
  }
}
