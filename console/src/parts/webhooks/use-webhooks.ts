import { useMemo } from 'react';
import { useList } from '../../api/index.ts';
import type { Webhook } from './kinds.ts';

/** All webhooks of both kinds, by uuid; `isLoading` until both lists are here. */
export function useWebhooks(enabled = true): { byUuid: ReadonlyMap<string, Webhook>; isLoading: boolean } {
  const chat = useList('/v2/chatapp/webhooks/', undefined, { pageSize: 200, enabled });
  const number = useList('/v2/number/webhooks/', undefined, { pageSize: 200, enabled });
  const byUuid = useMemo(
    () => new Map([...chat.rows, ...number.rows].map((webhook): [string, Webhook] => [webhook.uuid, webhook])),
    [chat.rows, number.rows],
  );
  return { byUuid, isLoading: chat.isLoading || number.isLoading };
}
