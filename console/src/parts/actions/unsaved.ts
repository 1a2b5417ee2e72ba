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
  void confirm({
    title: 'Leave without saving?',
    text: [...unsaved].every((id) => drafts.has(id))
      ? 'Your changes are not saved. This browser keeps them as a draft until you come back.'
      : 'Your changes will be lost.',
    button: 'Leave',
  }).then((yes) => {
    if (!yes) return;
    unsaved.clear();
    navigate(to, options);
  });
};
