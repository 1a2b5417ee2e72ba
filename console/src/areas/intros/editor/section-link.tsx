import { Alert, Autocomplete, TextInput } from '@mantine/core';
import { useList } from '../../../api/index.ts';
import { Section } from '../../../parts/index.ts';
import { PlaceholderInput } from '../../../parts/writing/index.ts';
import type { FormProps } from './form-props.ts';

/** The number that the lead writes to, the reference, and what the link fills in. */
export function LinkSection({ form }: FormProps) {
  const accounts = useList('/v2/chatapp/accounts/', undefined, { pageSize: 200 });
  const numbers = [...new Set(accounts.rows.map((account) => account.chatapp_number))];
  const { expected_message_template: expected, reference_id: reference } = form.values;
  return (
    <>
      <Section title="Link and number">
        <Autocomplete
          label="Chat-app number"
          description="The number of the business that the lead writes to."
          placeholder="+44…"
          required
          data={numbers}
          inputMode="tel"
          {...form.getInputProps('chatapp_number')}
        />
        <TextInput
          label="Reference"
          description="Your own id, such as a listing's. A message that has it starts this intro, too."
          mt="md"
          maxLength={255}
          {...form.getInputProps('reference_id')}
        />
      </Section>
      <Section
        title="What the lead sends"
        description="The link opens the chat with this text. Whoever sends it starts the intro."
      >
        <PlaceholderInput
          label="Expected message"
          placeholder="Hello, I would like to know more about {{PropertyName}}."
          maxLength={4096}
          {...form.getInputProps('expected_message_template')}
        />
        {expected.trim() === '' && reference === '' && (
          <Alert color="orange" mt="sm">
            Without an expected message or a reference, only the link's own code and start calls begin this intro.
          </Alert>
        )}
      </Section>
    </>
  );
}
