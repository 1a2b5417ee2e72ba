import { useAct } from '../../api/index.ts';
import { doors, idOf, type Kind, type Webhook, webhookPaths } from '../../parts/webhooks/kinds.ts';

/** Switches an endpoint on and off. */
export function useEnable(kind: Kind, webhook: Webhook) {
  const door = doors[kind];
  const change = useAct('patch', door.one, {
    invalidates: [...webhookPaths, '/v2/webhook-deliveries/'],
    done: webhook.enabled ? 'Disabled.' : 'Enabled.',
  });
  const set = (enabled: boolean) => change.mutate({ params: door.params(idOf(webhook)), body: { enabled } });
  return { enable: () => set(true), disable: () => set(false), isPending: change.isPending, may: change.may };
}
