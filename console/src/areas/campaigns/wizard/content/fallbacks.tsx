import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { placeholdersIn, textsOf } from '../form.ts';
import type { StepProps } from '../steps/step-props.ts';

/** What stands for each placeholder that somebody has no value for. */
export function Fallbacks({ form }: StepProps) {
  const { fallbacks } = form.values;
  const used = [...new Set(textsOf(form.values).flatMap(placeholdersIn))];
  if (used.length === 0) return null;
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm" fw={600}>
          Fallbacks
        </Text>
        <Text size="xs" c="dimmed">
          Used when a contact has no value for a placeholder. Left empty: nothing in a text, a dash in a template.
        </Text>
      </div>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {used.map((name) => (
          <TextInput
            key={name}
            label={name}
            placeholder={name === 'first_name' ? 'there' : ''}
            value={fallbacks[name] ?? ''}
            error={form.errors[`fallbacks.${name}`]}
            onChange={(event) => form.setFieldValue('fallbacks', { ...fallbacks, [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
      {form.errors['fallbacks'] && (
        <Text size="sm" c="var(--mantine-color-error)">
          {form.errors['fallbacks']}
        </Text>
      )}
    </Stack>
  );
}
