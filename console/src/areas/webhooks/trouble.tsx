import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react';
import { Time } from '../../parts/index.ts';
import type { Kind, Webhook } from '../../parts/webhooks/kinds.ts';
import { useEnable } from './use-enable.ts';

/** Says why nothing gets through, and what to do about it. */
export function WebhookTrouble({ kind, webhook }: { kind: Kind; webhook: Webhook }) {
  const { enable, isPending, may } = useEnable(kind, webhook);
  if (webhook.enabled && !webhook.failing_since) return null;
  if (webhook.enabled)
    return (
      <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title="Deliveries are failing">
        <Text size="sm">
          Since <Time at={webhook.failing_since} exact /> every delivery has failed. Parley retries with increasing
          delays and disables the webhook after five days of failures.
        </Text>
      </Alert>
    );
  const byParley = webhook.disabled_reason !== '';
  return (
    <Alert
      color={byParley ? 'red' : 'yellow'}
      icon={byParley ? <IconAlertTriangle aria-hidden /> : <IconPlayerPause aria-hidden />}
      title={byParley ? 'Disabled by Parley' : 'Disabled'}
    >
      <Text size="sm" mb="sm">
        {byParley && `${webhook.disabled_reason} `}
        {byParley
          ? 'Enable it again when the endpoint works.'
          : 'Pending deliveries are kept; new events are not queued.'}
      </Text>
      {may && (
        <Button size="xs" loading={isPending} onClick={enable}>
          Enable again
        </Button>
      )}
    </Alert>
  );
}
