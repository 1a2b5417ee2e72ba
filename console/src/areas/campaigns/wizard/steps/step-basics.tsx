import { Alert, Anchor, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'wouter';
import { useList } from '../../../../api/index.ts';
import { Section, usePhoneFormat } from '../../../../parts/index.ts';
import type { StepProps } from './step-props.ts';

/** Its name, the channel, and who it comes from. */
export function StepBasics({ form }: StepProps) {
  const label = useId();
  const { channel } = form.values;
  return (
    <Section title="Sender">
      <Stack>
        <TextInput label="Name" description="Internal name." required maxLength={200} {...form.getInputProps('name')} />
        <div>
          <Text size="sm" fw={600} id={label} mb={4}>
            Channel
          </Text>
          <SegmentedControl
            aria-labelledby={label}
            data={[
              { value: 'CHATAPP', label: 'Chat' },
              { value: 'SMS', label: 'SMS' },
            ]}
            value={channel}
            onChange={(value) => form.setValues({ channel: value as typeof channel, sender: '' })}
          />
        </div>
        {channel === 'CHATAPP' ? <ChatSender form={form} /> : <SmsSender form={form} />}
      </Stack>
    </Section>
  );
}

/** A stored sender that is in no list is still shown. */
function withOwn(options: { value: string; label: string }[], own: string) {
  return own && !options.some(({ value }) => value === own) ? [...options, { value: own, label: own }] : options;
}

function ChatSender({ form }: StepProps) {
  const accounts = useList('/v2/chatapp/accounts/', {}, { pageSize: 200 });
  const say = usePhoneFormat();
  const options = accounts.rows.map(({ chatapp_number, name }) => ({
    value: chatapp_number,
    label: `${name ? `${name}, ` : ''}${say(chatapp_number)}`,
  }));
  return (
    <>
      <Select
        label="Sender"
        description="The chat-app number that people see."
        required
        searchable
        data={withOwn(options, form.values.sender)}
        nothingFoundMessage="No number found."
        {...form.getInputProps('sender')}
      />
      {!accounts.isLoading && accounts.rows.length === 0 && (
        <Alert color="gray">
          There is no chat-app number yet.{' '}
          <Anchor underline="always" component={Link} href="/settings">
            Add one in the settings
          </Anchor>
          .
        </Alert>
      )}
    </>
  );
}

function SmsSender({ form }: StepProps) {
  const numbers = useList('/v2/number/', { capability: 'SMS' }, { pageSize: 200 });
  const senders = useList('/v2/sms-senders/', {}, { pageSize: 200 });
  const say = usePhoneFormat();
  const own = numbers.rows.map(({ number }) => ({ value: number, label: say(number) }));
  const named = senders.rows.map(({ sender }) => ({ value: sender, label: sender }));
  const { sender } = form.values;
  const other = withOwn([...own, ...named], sender).slice(own.length + named.length);
  const isName = /[a-z]/i.test(sender);
  return (
    <>
      <Select
        label="Sender"
        description="One of your numbers, or a registered sender name."
        required
        searchable
        data={[
          { group: 'Numbers', items: [...own, ...other] },
          { group: 'Names', items: named },
        ]}
        nothingFoundMessage="No sender found."
        {...form.getInputProps('sender')}
      />
      {isName && (
        <Text size="sm" c="dimmed">
          Recipients cannot reply to a sender name, so they cannot text STOP. Explain in the message how to opt out.
        </Text>
      )}
      {!numbers.isLoading && !senders.isLoading && own.length + named.length === 0 && (
        <Alert color="gray">
          There is no number that can send SMS yet.{' '}
          <Anchor underline="always" component={Link} href="/numbers/buy">
            Buy one
          </Anchor>
          .
        </Alert>
      )}
    </>
  );
}
