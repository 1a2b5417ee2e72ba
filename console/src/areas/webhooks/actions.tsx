import { Button, Menu } from '@mantine/core';
import { IconKey, IconPencil, IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAct } from '../../api/index.ts';
import { confirm, MoreMenu } from '../../parts/index.ts';
import { doors, hrefOf, idOf, type Kind, titleOf, type Webhook, webhookPaths } from '../../parts/webhooks/kinds.ts';
import { showWebhookSecret } from './show-secret.tsx';
import { TestDialog } from './test-dialog.tsx';
import { useEnable } from './use-enable.ts';

/** What one can do with an endpoint: test, edit, and behind the dots the rarer acts. */
export function WebhookActions({ kind, webhook }: { kind: Kind; webhook: Webhook }) {
  const [, navigate] = useLocation();
  const [tested, setTested] = useState<string | null>(null);
  const door = doors[kind];
  const params = door.params(idOf(webhook));
  const test = useAct('post', door.test, {
    invalidates: ['/v2/webhook-deliveries/'],
    onDone: (delivery) => setTested(delivery.uuid),
  });
  const rotate = useAct('post', door.rotate, {
    invalidates: webhookPaths,
    onDone: ({ secret }) => showWebhookSecret(secret),
  });
  const remove = useAct('delete', door.one, {
    invalidates: webhookPaths,
    done: 'Deleted.',
    onDone: () => navigate(door.home),
  });
  const { enable, disable } = useEnable(kind, webhook);

  const askRotate = async () => {
    const text = 'For 24 hours, events are also signed with the old secret.';
    const question = { title: 'Rotate the secret?', text, button: 'Rotate the secret', harmless: true };
    if (await confirm(question)) rotate.mutate({ params });
  };
  const askDelete = async () => {
    const text = 'Pending deliveries are cancelled. Past deliveries are kept.';
    if (await confirm({ title: `Delete the webhook “${titleOf(webhook)}”?`, text, button: 'Delete' }))
      remove.mutate({ params });
  };
  if (!test.may) return null;
  return (
    <>
      <MoreMenu>
        {webhook.enabled ? (
          <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={disable}>
            Disable
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={enable}>
            Enable again
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconKey size={16} />} onClick={() => void askRotate()}>
          Rotate the secret
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => void askDelete()}>
          Delete
        </Menu.Item>
      </MoreMenu>
      <Button
        component={Link}
        href={`${hrefOf(webhook)}/edit`}
        variant="default"
        leftSection={<IconPencil size={16} />}
      >
        Edit
      </Button>
      <Button leftSection={<IconSend size={16} />} loading={test.isPending} onClick={() => test.mutate({ params })}>
        Send a test
      </Button>
      {tested && <TestDialog uuid={tested} onClose={() => setTested(null)} />}
    </>
  );
}
