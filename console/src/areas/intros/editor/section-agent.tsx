import { Alert, NumberInput, Stack, Switch, TextInput } from '@mantine/core';
import { useKnownNames } from '../../../parts/bubble/index.ts';
import { Section } from '../../../parts/index.ts';
import { namesIn, PlaceholderInput } from '../../../parts/writing/index.ts';
import type { FormProps } from './form-props.ts';
import { TemplateFields } from './template-fields.tsx';

/** Whom the lead is brought together with, and how they hear of it. */
export function AgentSection({ form, isNew }: FormProps & { isNew: boolean }) {
  const { notified, notify, notify_delay: delay } = form.values;
  const names = useKnownNames();
  const used = namesIn([...notify.body, ...notify.buttons, notify.header].map(({ text }) => text));
  const answers = used.filter((name) => names.some((known) => known.name === name && known.value === undefined));
  return (
    <Section
      title="Agent"
      description="The person who takes over. Opening the link in the notification connects them with the lead."
    >
      <Stack>
        <Switch
          label="Notify the agent"
          checked={notified}
          onChange={(event) => form.setFieldValue('notified', event.currentTarget.checked)}
        />
        {notified && (
          <>
            <TextInput
              label="Number of the agent"
              placeholder="+44…"
              required
              type="tel"
              {...form.getInputProps('notify_to_phone_number')}
            />
            <TemplateFields
              form={form}
              at="notify"
              required
              label="Template of the notification"
              description="Give it {{intro_chat_link}}, or {{intro_chat_shortcode}} in a URL button, so that the agent can reach the lead."
            />
            <NumberInput
              label="Delay in seconds"
              description={
                isNew
                  ? 'From the start to the notification, up to a day. Time for a flow to be filled in; its answers end the wait.'
                  : 'From the start to the notification. Leave it empty to keep what is set.'
              }
              placeholder={isNew ? '0' : 'as it is'}
              min={0}
              max={86_400}
              allowDecimal={false}
              {...form.getInputProps('notify_delay')}
              onChange={(value) => form.setFieldValue('notify_delay', value === '' ? '' : Number(value))}
            />
            {delay === 0 && answers.length > 0 && (
              <Alert color="orange">
                Without a delay the agent is told before the lead can answer: {answers.join(', ')} would be empty.
              </Alert>
            )}
          </>
        )}
        <PlaceholderInput
          label="What the agent writes first"
          description="Filled in when the agent opens the link."
          maxLength={4096}
          placeholder="Hello {{APartyDataContactName}}, this is {{AgentName}}."
          {...form.getInputProps('intro_message_template')}
        />
        <Switch
          label="The agent's link works only once"
          {...form.getInputProps('bparty_expiry_link', { type: 'checkbox' })}
        />
      </Stack>
    </Section>
  );
}
