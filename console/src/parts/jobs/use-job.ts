import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { invalidate, oneOf } from '../../api/index.ts';
import { isOver } from './words.ts';

/**
 * A job as it goes on: asked every second until it is over, since there is no event for each step. `touches` are the paths
 * to read anew when it has ended.
 */
export function useJob(id: string | null, touches: string[] = []) {
  const client = useQueryClient();
  const query = useQuery({
    ...oneOf('/v3/jobs/{id}/', { id: id ?? '' }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && isOver(state.data.status) ? false : 1000),
  });
  const status = query.data?.status;
  const names = touches.join(' ');
  useEffect(() => {
    if (status && isOver(status)) void invalidate(client, names ? names.split(' ') : []);
  }, [status, names, client]);
  return query;
}
