import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { AddRow, RemoveRow } from '../../parts/index.ts';
import type { ContactValues } from './values.ts';

const kinds = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes or no' },
];
const answers = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

/** Attributes as rows of name, kind and value. */
export function AttributeRows({ form }: { form: UseFormReturnType<ContactValues> }) {
  const { attributes } = form.values;
  const error = form.errors['attributes'];
  return (
    <Stack gap="xs">
      {attributes.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else to be told apart by
        <Group key={at} gap="xs" align="flex-start">
          <TextInput
            aria-label={`Name of attribute ${at + 1}`}
            placeholder="Name"
            maxLength={64}
            style={{ flex: '1 1 9rem' }}
            {...form.getInputProps(`attributes.${at}.name`)}
          />
          <Select
            aria-label={`Kind of attribute ${at + 1}`}
            data={kinds}
            allowDeselect={false}
            w={118}
            {...form.getInputProps(`attributes.${at}.kind`)}
          />
          {row.kind === 'boolean' ? (
            <Select
              aria-label={`Value of attribute ${at + 1}`}
              data={answers}
              allowDeselect={false}
              style={{ flex: '1 1 9rem' }}
              {...form.getInputProps(`attributes.${at}.value`)}
            />
          ) : (
            <TextInput
              aria-label={`Value of attribute ${at + 1}`}
              placeholder="Value"
              maxLength={1000}
              {...(row.kind === 'number' && { inputMode: 'decimal' as const })}
              style={{ flex: '1 1 9rem' }}
              {...form.getInputProps(`attributes.${at}.value`)}
            />
          )}
          <RemoveRow what={`attribute ${row.name || at + 1}`} onClick={() => form.removeListItem('attributes', at)} />
        </Group>
      ))}
      {error && (
        <Text size="sm" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
      <AddRow onClick={() => form.insertListItem('attributes', { name: '', kind: 'text', value: '' })}>
        Add an attribute
      </AddRow>
    </Stack>
  );
}
