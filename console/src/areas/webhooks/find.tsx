import { Skeleton } from '@mantine/core';
import { Redirect } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { hrefOf } from '../../parts/webhooks/kinds.ts';
import { useWebhooks } from '../../parts/webhooks/use-webhooks.ts';

/** The timeline knows webhooks by uuid, whatever their kind; their pages are elsewhere. */
export function FindWebhook({ uuid }: { uuid: string }) {
  const { byUuid, isLoading } = useWebhooks();
  const found = byUuid.get(uuid);
  if (found) return <Redirect to={hrefOf(found)} replace />;
  return isLoading ? <Skeleton h={220} aria-busy="true" /> : <NotFound what="webhook" />;
}
