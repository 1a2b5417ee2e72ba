import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { invalidate } from '../../api/index.ts';

/** Reads these paths again every so often while something is under way: launches have no event for each step. */
export function usePolling(active: boolean, paths: string[], ms = 2000): void {
  const client = useQueryClient();
  const names = paths.join(' ');
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => {
      if (!document.hidden) void invalidate(client, names.split(' '));
    }, ms);
    return () => clearInterval(timer);
  }, [active, names, ms, client]);
}
