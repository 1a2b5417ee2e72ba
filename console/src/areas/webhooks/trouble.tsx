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
      <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title="It is failing">
        <Text size="sm">
          Since <Time at={webhook.failing_since} exact /> it has given nothing but failures. Deliveries are tried again,
          at growing distances. After five days of failures it is disabled.
        </Text>
      </Alert>
    );
  const byParley = webhook.disabled_reason !== '';
  return (
    <Alert
      color={byParley ? 'red' : 'yellow'}
      icon={byParley ? <IconAlertTriangle aria-hidden /> : <IconPlayerPause aria-hidden />}
      title={byParley ? 'Parley disabled it' : 'It is disabled'}
    >
      <Text size="sm" mb="sm">
        {byParley && `${webhook.disabled_reason} `}
        {byParley
          ? 'Enable it when the receiver works again: it gets a fresh start.'
          : 'What was waiting for it keeps waiting; new events are not kept for it.'}
      </Text>
      {may && (
        <Button size="xs" loading={isPending} onClick={enable}>
          Enable again
        </Button>
      )}
    </Alert>
  );
}
