import { type ComponentType, type LazyExoticComponent, lazy, useSyncExternalStore } from 'react';
import { serverUrl } from '../../api/client.ts';

let away = 0;
const watchers = new Set<() => void>();

function setAway(change: number): void {
  away += change;
  for (const watcher of watchers) watcher();
}

/** Whether a page waits for its code because the server cannot be reached. */
export const useAway = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    () => away > 0,
  );

const pauseMs = 2000;
const isReachable = (): Promise<boolean> =>
  fetch(`${serverUrl}/healthz`, { cache: 'no-store', signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The server answers, but the code is not there: a new build has replaced the files this page was made of. Begins again, once. */
function reloadOnce(): boolean {
  const key = 'parley-reloaded';
  if (Date.now() - Number(sessionStorage.getItem(key)) < 30_000) return false;
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
  return true;
}

/** Loads code. Whoever goes to a page during an outage is shown it as soon as the server is back. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  let waits = false;
  try {
    for (;;) {
      try {
        return await load();
      } catch (error) {
        if (await isReachable()) {
          // It may have come back just now.
          const again = await load().catch(() => null);
          if (again) return again;
          if (reloadOnce()) return await new Promise<T>(() => {});
          throw error;
        }
      }
      if (!waits) setAway(1);
      waits = true;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  } finally {
    if (waits) setAway(-1);
  }
}

/** `lazy` of React, for code that may have to wait for the server. */
// biome-ignore lint/suspicious/noExplicitAny: components of any properties, as `lazy` takes them
export const lazily = <C extends ComponentType<any>>(load: () => Promise<{ default: C }>): LazyExoticComponent<C> =>
  lazy(() => loadCode(load));

/**
 * The components of a file, each loaded when it is first shown, so that a page brings its own code and not that of its neighbours:
 * `const { EditList, NewList } = pagesOf(() => import('./edit.tsx'))`.
 */
export function pagesOf<Module extends object>(load: () => Promise<Module>): Module {
  const page = (_: object, name: string) =>
    lazily(async () => ({ default: (await load())[name as keyof Module] as ComponentType }));
  return new Proxy({}, { get: page }) as Module;
}
