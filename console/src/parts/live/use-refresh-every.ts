import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { freshen } from '../../api/refresh.ts';

/** Reads these paths again every so many seconds while the page is in sight: attempts are no events of the timeline. */
export function useRefreshEvery(paths: string[], seconds: number): void {
  const client = useQueryClient();
  const names = paths.join(' ');
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void freshen(client, names.split(' '));
    }, seconds * 1000);
    return () => clearInterval(timer);
  }, [client, names, seconds]);
}
