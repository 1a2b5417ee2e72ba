import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call, invalidate, sayProblem } from '../../api/index.ts';
import { notifications } from '../../api/notifications.ts';

interface Progress {
  done: number;
  all: number;
}

/** Sends deliveries again, one after the other; stops when told to. What was refused is said at the end. */
export function useRedeliver() {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const stopped = useRef(false);
  const redeliver = async (uuids: string[]): Promise<void> => {
    stopped.current = false;
    const refused: unknown[] = [];
    let done = 0;
    for (const uuid of uuids) {
      if (stopped.current) break;
      setProgress({ done, all: uuids.length });
      await call('post', '/v2/webhook-deliveries/{uuid}/redeliver/', { params: { uuid } }).catch((error) => {
        refused.push(error);
      });
      done += 1;
    }
    setProgress(null);
    await invalidate(client, ['/v2/webhook-deliveries/']);
    const sent = done - refused.length;
    if (sent > 0) notifications.show({ message: sent === 1 ? 'Sent again.' : `${sent} sent again.` });
    if (refused.length > 0)
      notifications.show({
        color: 'red',
        title: refused.length === 1 ? 'One could not be sent again' : `${refused.length} could not be sent again`,
        message: sayProblem(refused[0]),
      });
  };
  const stop = () => {
    stopped.current = true;
  };
  return { redeliver, progress, stop };
}
