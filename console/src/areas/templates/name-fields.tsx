import { Autocomplete, SegmentedControl, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useId } from '@mantine/hooks';
import type { Template } from '../../parts/messages/use-definitions.ts';
import { useSenders } from '../../parts/messages/use-senders.ts';
import { blankButton } from './button-form.ts';
import type { FormProps } from './form-props.ts';
import { categories, languages } from './words.ts';

/** Number, name, language, category, and how variables are written. */
export function NameFields({ form, template }: FormProps & { template: Template | undefined }) {
  const { options } = useSenders();
  const label = useId();
  const fixed = template !== undefined;
  const name = form.getInputProps('name');
  const category = form.getInputProps('category');
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Your number"
          required
          data={options}
          allowDeselect={false}
          disabled={fixed}
          {...form.getInputProps('chatapp_number')}
        />
        <Autocomplete
          label="Language"
          required
          data={languages}
          disabled={fixed}
          description="A code such as en_GB."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('language_code')}
        />
      </SimpleGrid>
      <TextInput
        label="Name"
        required
        disabled={fixed}
        description="Lower-case letters, digits and underscores; people do not see it."
        placeholder="viewing_confirmed"
        maxLength={512}
        {...name}
        onChange={(event) => name.onChange(event.currentTarget.value.toLowerCase().replaceAll(/[^a-z0-9_]/g, '_'))}
      />
      <Select
        label="Category"
        required
        data={categories}
        allowDeselect={false}
        disabled={template?.status === 'APPROVED'}
        description={template?.status === 'APPROVED' ? 'The category of an approved template is fixed.' : undefined}
        {...category}
        onChange={(value) => {
          category.onChange(value);
          if (value === 'AUTHENTICATION' && !form.values.buttons.some(({ type }) => type === 'OTP'))
            form.insertListItem('buttons', blankButton('OTP'));
        }}
      />
      {form.values.category !== 'AUTHENTICATION' && (
        <div>
          <Text id={label} size="sm" fw={600} mb={4}>
            Variables
          </Text>
          <Text size="xs" c="dimmed" mb={6}>
            {'Numbered are {{1}}, {{2}} and so on; named such as {{first_name}}.'}
          </Text>
          <SegmentedControl
            aria-labelledby={label}
            disabled={fixed}
            data={[
              { value: 'POSITIONAL', label: 'Numbered' },
              { value: 'NAMED', label: 'Named' },
            ]}
            {...form.getInputProps('parameter_format')}
          />
        </div>
      )}
    </Stack>
  );
}
