import { ActionIcon, Button, Card, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { PartProps } from './interactive-fields.tsx';
import { blankRow } from './interactive-form.ts';
import { PlaceholderInput } from './placeholder-input.tsx';

const mostRows = 10;

/** A list to choose from: sections of rows, ten rows in all. */
export function ListFields({ form, at, value }: PartProps) {
  const { sections } = value.action;
  const path = `${at}.action.sections`;
  const full = sections.reduce((count, { rows }) => count + rows.length, 0) >= mostRows;
  return (
    <Stack gap="sm">
      <PlaceholderInput
        label="Words on the button that opens the list"
        line
        maxLength={20}
        {...form.getInputProps(`${at}.action.button`)}
      />
      {sections.map((section, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sections have nothing else to be told by
        <Card key={index} bg="transparent">
          <Group align="flex-end" wrap="nowrap" gap="xs">
            <div style={{ flex: 1, minWidth: 0 }}>
              <PlaceholderInput
                label={`Title of section ${index + 1}`}
                line
                maxLength={24}
                {...form.getInputProps(`${path}.${index}.title`)}
              />
            </div>
            {sections.length > 1 && (
              <Remove what={`section ${index + 1}`} onClick={() => form.removeListItem(path, index)} />
            )}
          </Group>
          {section.rows.map((_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else to be told by
            <Group key={row} align="flex-end" gap="xs" mt="xs" wrap="nowrap">
              <div style={{ flex: 3, minWidth: 0 }}>
                <PlaceholderInput
                  label={`Row ${row + 1}`}
                  line
                  maxLength={24}
                  {...form.getInputProps(`${path}.${index}.rows.${row}.title`)}
                />
              </div>
              <div style={{ flex: 4, minWidth: 0 }}>
                <PlaceholderInput
                  label="Description"
                  line
                  maxLength={72}
                  {...form.getInputProps(`${path}.${index}.rows.${row}.description`)}
                />
              </div>
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
            <Button
              mt="sm"
              variant="default"
              size="xs"
              disabled={full}
              leftSection={<IconPlus size={15} />}
              onClick={() => form.insertListItem(`${path}.${index}.rows`, { ...blankRow })}
            >
              Add a row
            </Button>
          </div>
        </Card>
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          disabled={full}
          leftSection={<IconPlus size={15} />}
          onClick={() => form.insertListItem(path, { title: '', rows: [{ ...blankRow }] })}
        >
          Add a section
        </Button>
        {full && (
          <Text size="xs" c="dimmed">
            A list has at most {mostRows} rows.
          </Text>
        )}
      </Group>
    </Stack>
  );
}

const Remove = ({ what, ...props }: { what: string; disabled?: boolean; onClick(): void }) => (
  <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Remove ${what}`} {...props}>
    <IconTrash size={17} />
  </ActionIcon>
);
