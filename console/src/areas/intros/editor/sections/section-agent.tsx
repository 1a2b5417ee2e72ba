import { SegmentedControl, Stack, Switch } from '@mantine/core';
import { AgentField } from '../../../../parts/fields/agent-field.tsx';
import { Section } from '../../../../parts/index.ts';
import { PlaceholderInput } from '../../../../parts/writing/index.ts';
import { ChainFields } from '../fields/chain-fields.tsx';
import { DelayFields } from '../fields/delay-fields.tsx';
import { SmsFields } from '../fields/sms-fields.tsx';
import { TemplateFields } from '../fields/template-fields.tsx';
import type { FormProps } from '../form-props.ts';
import { NotifyCheck } from '../notify-check.tsx';

/** Whom the lead is brought together with, and how they hear of it. */
export function AgentSection({ form }: FormProps) {
  const { notified, notify_type: type } = form.values;
  return (
    <Section
      title="Agent"
      description="The person who takes over. The link in the notification connects them with the lead."
    >
      <Stack>
        <Switch
          label="Notify the agent"
          checked={notified}
          onChange={(event) => form.setFieldValue('notified', event.currentTarget.checked)}
        />
        {notified && (
          <>
            <SegmentedControl
              aria-label="Notification channel"
              data={[
                { value: 'CHATAPP', label: 'Template' },
                { value: 'SMS', label: 'SMS' },
              ]}
              value={type}
              onChange={(value) => form.setFieldValue('notify_type', value as typeof type)}
              style={{ alignSelf: 'start' }}
            />
            <AgentField
              label="Agent number"
              description="Choose one of your agents, or type a number."
              placeholder="+44…"
              required
              {...form.getInputProps('notify_to_phone_number')}
            />
            {type === 'CHATAPP' ? (
              <TemplateFields
                form={form}
                at="notify"
                required
                label="Notification template"
                description="Give it {{intro_chat_link}}, or {{intro_chat_shortcode}} in a URL button, so that the agent can reach the lead."
              />
            ) : (
              <SmsFields form={form} />
            )}
            <NotifyCheck form={form} />
            <DelayFields form={form} />
            <ChainFields form={form} />
          </>
        )}
        <PlaceholderInput
          label="Agent’s first message"
          description="Prefilled when the agent opens the link."
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
