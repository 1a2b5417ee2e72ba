import { Skeleton } from '@mantine/core';
import { Redirect } from 'wouter';
import { NotFound } from '../../shell/not-found.tsx';
import { hrefOf } from './kinds.ts';
import { useWebhooks } from './use-webhooks.ts';

/** The timeline knows webhooks by uuid, whatever their kind; their pages are elsewhere. */
export function FindWebhook({ uuid }: { uuid: string }) {
  const { byUuid, isLoading } = useWebhooks();
  const found = byUuid.get(uuid);
  if (found) return <Redirect to={hrefOf(found)} replace />;
  return isLoading ? <Skeleton h={220} aria-busy="true" /> : <NotFound what="webhook" />;
}
