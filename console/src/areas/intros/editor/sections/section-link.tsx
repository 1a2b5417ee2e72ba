import { Alert, Autocomplete, Select, TextInput } from '@mantine/core';
import { useList } from '../../../../api/index.ts';
import { Section } from '../../../../parts/index.ts';
import { PlaceholderInput } from '../../../../parts/writing/index.ts';
import type { FormProps } from '../form-props.ts';

const codes = [
  { value: 'auto', label: 'Automatic' },
  { value: 'always', label: 'Always' },
  { value: 'never', label: 'Never' },
];
const codeHints = {
  auto: 'The text ends with the code of this intro as soon as another intro of the number expects the same text.',
  always: 'The text ends with the code of this intro, by which a message is matched whatever else is in it.',
  never: 'The text stays as it is. Of several intros that expect the same text, the wrong one may start.',
};

/** The number that the lead writes to, the reference, and what the link fills in. */
export function LinkSection({ form }: FormProps) {
  const accounts = useList('/v2/chatapp/accounts/', undefined, { pageSize: 200 });
  const numbers = [...new Set(accounts.rows.map((account) => account.chatapp_number))];
  const { expected_message_template: expected, reference_id: reference, link_code: code } = form.values;
  return (
    <>
      <Section title="Link">
        <Autocomplete
          label="Chat-app number"
          description="The business number the lead writes to."
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
      <Section title="First message" description="The link opens the chat with this text. Sending it starts the intro.">
        <PlaceholderInput
          label="Expected message"
          placeholder="Hello, I would like to know more about {{PropertyName}}."
          maxLength={4096}
          {...form.getInputProps('expected_message_template')}
        />
        <Select
          label="Code in the link's text"
          description={codeHints[code]}
          mt="md"
          data={codes}
          allowDeselect={false}
          {...form.getInputProps('link_code')}
        />
        {expected.trim() === '' && reference === '' && code !== 'always' && (
          <Alert color="orange" mt="sm">
            The link brings no text. Without an expected message, a reference or the code, only start calls begin this
            intro.
          </Alert>
        )}
      </Section>
    </>
  );
}
