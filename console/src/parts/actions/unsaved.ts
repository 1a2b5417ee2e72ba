import { useCallback, useEffect, useId } from 'react';
import type { AroundNavHandler } from 'wouter';
import { confirm } from './confirm.tsx';

const unsaved = new Set<string>();

const drafts = new Set<string>();

/**
 * While `dirty`, leaving the page asks first: by a link, by reloading, by closing the tab. Answers what to call when it was
 * saved and one goes on at once.
 */
export function useUnsaved(dirty: boolean, keepsDraft = false): () => void {
  const id = useId();
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    unsaved.add(id);
    if (keepsDraft) drafts.add(id);
    window.addEventListener('beforeunload', ask);
    return () => {
      unsaved.delete(id);
      drafts.delete(id);
      window.removeEventListener('beforeunload', ask);
    };
  }, [dirty, id, keepsDraft]);
  return useCallback(() => void unsaved.delete(id), [id]);
}

/** Every change of the address by the router passes here. */
export const aroundNavigation: AroundNavHandler = (navigate, to, options) => {
  // Filters and tabs change the query string alone.
  const stays = new URL(to, location.href).pathname === location.pathname;
  if (unsaved.size === 0 || stays) return navigate(to, options);
  void askToLeave(() => navigate(to, options));
};

async function askToLeave(leave: () => void): Promise<void> {
  const yes = await confirm({
    title: 'Leave without saving?',
    text: [...unsaved].every((id) => drafts.has(id))
      ? 'Your changes are not saved. This browser keeps them as a draft until you come back.'
      : 'Your changes will be lost.',
    button: 'Leave',
  });
  if (!yes) return;
  unsaved.clear();
  leave();
}

/** The part of the Navigation API that is needed; browsers without it go back without asking. */
interface Traversal extends Event {
  navigationType: string;
  destination: { url: string; key: string };
}
interface Navigation extends EventTarget {
  traverseTo(key: string): { committed: Promise<unknown>; finished: Promise<unknown> };
}
const { navigation } = window as { navigation?: Navigation };

// The buttons of the browser.
navigation?.addEventListener('navigate', (event) => {
  const { navigationType, destination, cancelable } = event as Traversal;
  const stays = new URL(destination.url).pathname === location.pathname;
  if (navigationType !== 'traverse' || unsaved.size === 0 || stays || !cancelable) return;
  event.preventDefault();
  void askToLeave(() => {
    const { committed, finished } = navigation.traverseTo(destination.key);
    // A page that is gone from the history meanwhile is not gone to.
    committed.catch(() => undefined);
    finished.catch(() => undefined);
  });
});
