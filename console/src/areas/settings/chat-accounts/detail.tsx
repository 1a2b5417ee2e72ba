import { Alert, Button, Stack } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { type Schema, useAct, useOne } from '../../../api/index.ts';
import { useLiveRefresh } from '../../../live/index.ts';
import { confirm, Loaded, Page, Section, Status, Time, usePhoneFormat } from '../../../parts/index.ts';
import { Fact, Facts } from '../../webhooks/fact.tsx';
import { EditChatAccount } from './edit.tsx';
import { QueueSection } from './queue.tsx';
import { WebhookSteps } from './webhook-steps.tsx';
import { sayCarrier } from './words.ts';

const trail = [
  { title: 'Settings', href: '/settings' },
  { title: 'Chat-app accounts', href: '/settings/chat-accounts' },
];

const sayQuality: Record<string, string> = {
  GREEN: 'Green: good',
  YELLOW: 'Yellow: people complain',
  RED: 'Red: the platform may limit it',
};

/** One number that messages are sent from: its queue, its settings, and pausing it. */
export function ChatAccountDetail({ uuid }: { uuid: string }) {
  const format = usePhoneFormat();
  const query = useOne('/v2/chatapp/accounts/{uuid}/', { uuid });
  useLiveRefresh(['chatapp_account.'], ['/v2/chatapp/accounts/']);
  return (
    <Loaded query={query} what="chat-app account">
      {(account) => (
        <Page
          title={account.name || format(account.chatapp_number)}
          aside={<Status word={account.paused ? 'PAUSED' : 'ACTIVE'} label={account.paused ? 'Paused' : 'Sending'} />}
          trail={trail}
          actions={<Actions account={account} />}
        >
          <Stack>
            {account.paused && (
              <Alert color="yellow" icon={<IconPlayerPause aria-hidden />} title="It is paused">
                Messages are accepted and wait until it is resumed.
              </Alert>
            )}
            <QueueSection uuid={uuid} />
            <Section title="About it">
              <Facts>
                <Fact label="Number">{format(account.chatapp_number)}</Fact>
                <Fact label="Carrier">{sayCarrier(account.carrier)}</Fact>
                <Fact label="Quality">{sayQuality[account.quality] ?? 'Not known'}</Fact>
                <Fact label="Created">
                  <Time at={account.created} />
                </Fact>
                <Fact label="Changed">
                  <Time at={account.modified} />
                </Fact>
              </Facts>
            </Section>
            {account.webhook_path && <WebhookSteps path={account.webhook_path} />}
            <EditChatAccount key={account.uuid} account={account} />
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}

function Actions({ account: { uuid, name, chatapp_number, paused } }: { account: Schema<'ChatappAccount'> }) {
  const [, navigate] = useLocation();
  const invalidates = ['/v2/chatapp/accounts/'];
  const pause = useAct('post', '/v2/chatapp/accounts/{uuid}/pause/', { invalidates, done: 'Paused.' });
  const resume = useAct('post', '/v2/chatapp/accounts/{uuid}/resume/', { invalidates, done: 'Resumed.' });
  const remove = useAct('delete', '/v2/chatapp/accounts/{uuid}/', {
    invalidates,
    done: 'Deleted.',
    onDone: () => navigate('/settings/chat-accounts'),
  });
  const params = { uuid };
  const ask = async () => {
    const text =
      'Only an account that was never used can be deleted; one that has sent messages can be paused instead.';
    if (await confirm({ title: `Delete the account “${name || chatapp_number}”?`, text, button: 'Delete' }))
      remove.mutate({ params });
  };
  return (
    <>
      <Button color="red" variant="light" loading={remove.isPending} onClick={() => void ask()}>
        Delete
      </Button>
      {paused ? (
        <Button
          leftSection={<IconPlayerPlay size={16} />}
          loading={resume.isPending}
          onClick={() => resume.mutate({ params })}
        >
          Resume
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={16} />}
          loading={pause.isPending}
          onClick={() => pause.mutate({ params })}
        >
          Pause
        </Button>
      )}
    </>
  );
}
