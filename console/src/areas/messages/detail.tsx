import { Alert, Button, Grid, Stack } from '@mantine/core';
import { IconAlertTriangle, IconCopyPlus, IconMessages } from '@tabler/icons-react';
import { Link } from 'wouter';
import { type Fields, useAct, useList, useOne } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { Bubble, Content, contentView } from '../../parts/bubble/index.ts';
import { confirm, Loaded, Page, Section, Status, Story, useName, usePhoneFormat } from '../../parts/index.ts';
import { conversationHref } from '../../parts/messages/links.ts';
import { type Message, personOf, sendTypes } from '../../parts/messages/types.ts';
import { useDefinitions } from '../../parts/messages/use-definitions.ts';
import { MessageDeliveries } from './deliveries.tsx';
import { MessageFacts } from './facts.tsx';
import { stepsOf } from './steps.tsx';

/** One message: how it looked, and everything that happened to it. */
export function MessageDetail({ uuid }: { uuid: string }) {
  const query = useOne('/v2/chatapp/messages/{uuid}/', { uuid });
  useLiveRefresh(['message.'], ['/v2/chatapp/messages/{uuid}/', '/v2/events/']);
  return (
    <Loaded query={query} what="message">
      {(message) => <Shown message={message} />}
    </Loaded>
  );
}

function Shown({ message }: { message: Message }) {
  const say = usePhoneFormat();
  const events = useList('/v2/events/', { subject: message.uuid, ordering: 'created' });
  const definitions = useDefinitions(message.chatapp_number, message.type === 'TEMPLATE');
  const { template_name, language_code } = message.message_data as Record<string, string>;
  const definition = definitions.find(template_name ?? '', language_code);
  const outbound = message.direction === 'OUTBOUND';
  const name = useName(personOf(message));
  const title = `Message ${outbound ? 'to' : 'from'} ${name || say(personOf(message))}`;
  return (
    <Page
      title={title}
      aside={<Status word={message.status} />}
      trail={[{ title: 'Messages', href: '/messages' }]}
      actions={<Actions message={message} />}
    >
      <Stack>
        {message.status === 'FAILED' && (
          <Alert color="red" icon={<IconAlertTriangle size={18} />} title="Not delivered">
            {message.status_description || 'The platform gave no reason.'}
          </Alert>
        )}
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Stack>
              <Section title="Message">
                <Bubble side={outbound ? 'out' : 'in'}>
                  <Content view={contentView(message.type, message.message_data as Fields, definition)} />
                </Bubble>
              </Section>
              <MessageFacts message={message} definition={definition} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Stack>
              <Section title="Timeline">
                <Story steps={stepsOf(events.rows)} loading={events.isLoading} />
              </Section>
              <MessageDeliveries message={message} />
            </Stack>
          </Grid.Col>
        </Grid>
      </Stack>
    </Page>
  );
}

function Actions({ message }: { message: Message }) {
  const { uuid, status, direction, type } = message;
  const cancel = useAct('post', '/v2/chatapp/messages/{uuid}/cancel/', {
    invalidates: ['/v2/chatapp/messages/', '/v2/events/'],
    done: 'Cancelled.',
  });
  const ask = async () => {
    const text = 'The message will not be sent. This cannot be undone.';
    if (await confirm({ title: 'Cancel this message?', text, button: 'Cancel the message' }))
      cancel.mutate({ params: { uuid } });
  };
  const sendable = direction === 'OUTBOUND' && sendTypes.some(({ value }) => value === type);
  return (
    <>
      {status === 'QUEUED' && cancel.may && (
        <Button color="red" variant="light" loading={cancel.isPending} onClick={() => void ask()}>
          Cancel
        </Button>
      )}
      {sendable && cancel.may && (
        <Button
          component={Link}
          href={`/messages/new?again=${uuid}`}
          variant="default"
          leftSection={<IconCopyPlus size={16} />}
        >
          Resend as new
        </Button>
      )}
      <Button component={Link} href={conversationHref(message)} leftSection={<IconMessages size={16} />}>
        Open the conversation
      </Button>
    </>
  );
}
