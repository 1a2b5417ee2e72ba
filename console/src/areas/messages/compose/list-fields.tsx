import { ActionIcon, Button, Card, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { blankRow } from '../../intros/interactive-form.ts';
import type { FormProps } from './form-props.ts';

const path = 'interactive.action.sections';
const mostRows = 10;

/** A list to choose from: sections of rows, ten rows in all. */
export function ListFields({ form }: FormProps) {
  const { sections } = form.values.interactive.action;
  const full = sections.reduce((count, { rows }) => count + rows.length, 0) >= mostRows;
  return (
    <Stack gap="sm">
      <TextInput
        label="Words on the button that opens the list"
        required
        maxLength={20}
        {...form.getInputProps('interactive.action.button')}
      />
      {sections.map((section, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sections have nothing else to be told by
        <Card key={index} bg="transparent">
          <Group align="flex-start" wrap="nowrap" gap="xs">
            <TextInput
              label={`Title of section ${index + 1}`}
              required={sections.length > 1}
              maxLength={24}
              style={{ flex: 1, minWidth: 0 }}
              {...form.getInputProps(`${path}.${index}.title`)}
            />
            {sections.length > 1 && (
              <Remove what={`section ${index + 1}`} onClick={() => form.removeListItem(path, index)} />
            )}
          </Group>
          {section.rows.map((_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else to be told by
            <Group key={row} align="flex-start" gap="xs" mt="xs" wrap="nowrap">
              <TextInput
                label={`Row ${row + 1}`}
                required
                maxLength={24}
                style={{ flex: 3, minWidth: 0 }}
                {...form.getInputProps(`${path}.${index}.rows.${row}.title`)}
              />
              <TextInput
                label="Description"
                maxLength={72}
                style={{ flex: 4, minWidth: 0 }}
                {...form.getInputProps(`${path}.${index}.rows.${row}.description`)}
              />
              <TextInput
                label="Id"
                placeholder="made for you"
                maxLength={200}
                visibleFrom="sm"
                style={{ flex: 2, minWidth: 0 }}
                {...form.getInputProps(`${path}.${index}.rows.${row}.id`)}
              />
              <Remove
                what={`row ${row + 1} of section ${index + 1}`}
                disabled={section.rows.length === 1}
                onClick={() => form.removeListItem(`${path}.${index}.rows`, row)}
              />
            </Group>
          ))}
          <div>
            <Add disabled={full} onClick={() => form.insertListItem(`${path}.${index}.rows`, { ...blankRow })}>
              Add a row
            </Add>
          </div>
        </Card>
      ))}
      <Group>
        <Add disabled={full} onClick={() => form.insertListItem(path, { title: '', rows: [{ ...blankRow }] })}>
          Add a section
        </Add>
        {full && (
          <Text size="xs" c="dimmed">
            A list has at most {mostRows} rows.
          </Text>
        )}
      </Group>
    </Stack>
  );
}

const Add = (props: { disabled: boolean; onClick(): void; children: string }) => (
  <Button mt="sm" variant="default" size="xs" leftSection={<IconPlus size={15} />} {...props} />
);

const Remove = ({ what, ...props }: { what: string; disabled?: boolean; onClick(): void }) => (
  <ActionIcon mt={27} variant="subtle" color="gray" size="lg" aria-label={`Remove ${what}`} {...props}>
    <IconTrash size={17} />
  </ActionIcon>
);
