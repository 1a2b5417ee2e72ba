import { Stack, TextInput } from '@mantine/core';
import { Section } from '../../../../parts/index.ts';
import { PlaceholderInput } from '../../../../parts/writing/index.ts';
import { TemplateFields } from '../fields/template-fields.tsx';
import type { FormProps } from '../form-props.ts';

/** How the lead can reach the agent without waiting. */
export function ConnectSection({ form }: FormProps) {
  const { intro_bparty_number: number, intro_message_aparty: message } = form.values;
  return (
    <Section title="Direct connect" description="The lead gets a link to the agent’s chat and does not have to wait.">
      <Stack>
        <TextInput
          label="Number for the lead"
          description="Gives every session {{intro_chat_link_aparty}}: put it into the reply, a link button or the template below."
          placeholder="+44…"
          type="tel"
          {...form.getInputProps('intro_bparty_number')}
        />
        {(number !== '' || message !== '') && (
          <PlaceholderInput
            label="Lead’s first message"
            maxLength={4096}
            placeholder="Hello {{AgentName}}, I asked about {{PropertyName}}."
            {...form.getInputProps('intro_message_aparty')}
          />
        )}
        <TemplateFields
          form={form}
          at="aparty_notify"
          label="Template for the lead"
          description="Sent when the agent is notified; at once if it has a flow button or nobody is notified. Optional."
        />
      </Stack>
    </Section>
  );
}
