import { Alert, Button, Group, JsonInput, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react';
import { AddRow, RemoveRow, Section } from '../../../../parts/index.ts';
import type { FormProps } from '../form-props.ts';

/** The values of placeholders, and data of your own. */
export function VariablesSection({ form, missing, known }: FormProps & { missing: string[]; known: string[] }) {
  const { variables } = form.values;
  const add = (name: string) => form.insertListItem('variables', { name, value: '' });
  return (
    <>
      <Section
        title="Variables"
        description="What {{placeholders}} are filled with. Leave a value empty if an answer of a flow will fill it."
      >
        <Stack gap="xs">
          {missing.length > 0 && <Unknown missing={missing} known={known} />}
          {variables.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else to be told by
            <Group key={index} align="flex-start" gap="xs" wrap="nowrap">
              <TextInput
                aria-label={`Name of variable ${index + 1}`}
                placeholder="PropertyName"
                style={{ flex: 2, minWidth: 0 }}
                {...form.getInputProps(`variables.${index}.name`)}
              />
              <TextInput
                aria-label={`Value of variable ${index + 1}`}
                placeholder="filled by an answer"
                style={{ flex: 3, minWidth: 0 }}
                {...form.getInputProps(`variables.${index}.value`)}
              />
              <RemoveRow what={`variable ${index + 1}`} onClick={() => form.removeListItem('variables', index)} />
            </Group>
          ))}
          <Group gap="xs">
            <AddRow onClick={() => add('')}>Add a variable</AddRow>
            {missing.length > 0 && (
              <Text size="sm" c="dimmed">
                Add:
              </Text>
            )}
            {missing.map((name) => (
              <Button
                key={name}
                variant="light"
                color="orange"
                size="xs"
                leftSection={<IconPlus size={15} />}
                onClick={() => add(name)}
              >
                {name}
              </Button>
            ))}
          </Group>
        </Stack>
      </Section>
      <Section
        title="Meta data"
        description="Your own notes on the intro. Webhooks carry them, and funnels can be grouped by a key."
      >
        <JsonInput
          label="JSON object"
          autosize
          minRows={3}
          formatOnBlur
          spellCheck={false}
          ff="monospace"
          {...form.getInputProps('meta_data')}
        />
      </Section>
    </>
  );
}

/** Names in the texts above that nothing is known by: a slip of the pen, most of the time. */
const Unknown = ({ missing, known }: { missing: string[]; known: string[] }) => (
  <Alert color="orange" icon={<IconAlertTriangle />} title="Placeholders without a value" py="xs">
    <Text size="sm">
      {missing.map((name) => `{{${name}}}`).join(', ')} will be empty, unless an answer or the request that starts the
      intro has a value.
    </Text>
    <Text size="sm">Known: {known.map((name) => `{{${name}}}`).join(', ')}</Text>
  </Alert>
);
