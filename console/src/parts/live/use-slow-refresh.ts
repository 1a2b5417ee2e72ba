import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { invalidate } from '../../api/index.ts';
import { useLive } from '../../live/index.ts';

/**
 * As `useLiveRefresh`, but for figures that cost the server something to count: asked anew when such events have happened, and
 * then not for `everyMs`, however many more there are.
 */
export function useSlowRefresh(kinds: readonly string[], paths: string[], everyMs: number): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastMs = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive(kinds, () => {
    if (timer.current !== undefined) return;
    const waitMs = Math.max(300, lastMs.current + everyMs - Date.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      lastMs.current = Date.now();
      void invalidate(client, paths);
    }, waitMs);
  });
}
