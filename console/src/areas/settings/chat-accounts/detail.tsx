import { Alert, Button, Stack } from '@mantine/core';
import { IconFlask, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type Schema, useAct, useOne } from '../../../api/index.ts';
import { useLiveRefresh } from '../../../live/index.ts';
import { Facts, Loaded, Page, RemoveButton, Section, Status, Time, usePhoneFormat } from '../../../parts/index.ts';
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
              <Alert color="yellow" icon={<IconPlayerPause aria-hidden />} title="Paused">
                Messages are queued until you resume.
              </Alert>
            )}
            {account.adopted && (
              <Alert color="blue" icon={<IconFlask aria-hidden />} title="Not registered">
                The sandbox created it with the first message. To go live, choose its carrier below: its intros, their
                links, its templates and its history stay.
              </Alert>
            )}
            <QueueSection uuid={uuid} />
            <Section title="Details">
              <Facts
                rows={[
                  ['Number', format(account.chatapp_number)],
                  ['Carrier', sayCarrier(account.carrier)],
                  ['Quality', sayQuality[account.quality] ?? 'Unknown'],
                  ['Created', <Time key="created" at={account.created} />],
                  ['Changed', <Time key="modified" at={account.modified} />],
                ]}
              />
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
  const invalidates = ['/v2/chatapp/accounts/'];
  const pause = useAct('post', '/v2/chatapp/accounts/{uuid}/pause/', { invalidates, done: 'Paused.' });
  const resume = useAct('post', '/v2/chatapp/accounts/{uuid}/resume/', { invalidates, done: 'Resumed.' });
  const params = { uuid };
  if (!pause.may) return null;
  return (
    <>
      <RemoveButton
        path="/v2/chatapp/accounts/{uuid}/"
        uuid={uuid}
        what={`the account “${name || chatapp_number}”`}
        text="Only unused accounts can be deleted. Pause an account that has sent messages instead."
        back="/settings/chat-accounts"
      />
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
