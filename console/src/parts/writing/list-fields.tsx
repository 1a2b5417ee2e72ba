import { Card, Group, Stack, Text, TextInput } from '@mantine/core';
import { AddRow, RemoveRow } from '../table/row-buttons.tsx';
import { blankRow } from './interactive-form.ts';
import { WordsInput } from './words-input.tsx';
import type { InteractiveProps } from './writing-form.ts';

const mostRows = 10;

/** A list to choose from: sections of rows, ten rows in all. */
export function ListFields({ form, at, value, required = false }: InteractiveProps) {
  const { sections } = value.action;
  const path = `${at}.action.sections`;
  const full = sections.reduce((count, { rows }) => count + rows.length, 0) >= mostRows;
  return (
    <Stack gap="sm">
      <WordsInput
        label="List button text"
        line
        required={required}
        maxLength={20}
        {...form.getInputProps(`${at}.action.button`)}
      />
      {sections.map((section, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sections have nothing else to be told by
        <Card key={index} bg="transparent">
          <Group align="flex-start" wrap="nowrap" gap="xs">
            <div style={{ flex: 1, minWidth: 0 }}>
              <WordsInput
                label={`Title of section ${index + 1}`}
                line
                required={required && sections.length > 1}
                maxLength={24}
                {...form.getInputProps(`${path}.${index}.title`)}
              />
            </div>
            {sections.length > 1 && (
              <RemoveRow labelled what={`section ${index + 1}`} onClick={() => form.removeListItem(path, index)} />
            )}
          </Group>
          {section.rows.map((_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else to be told by
            <Group key={row} align="flex-start" gap="xs" mt="xs" wrap="nowrap">
              <div style={{ flex: 3, minWidth: 0 }}>
                <WordsInput
                  label={`Row ${row + 1}`}
                  line
                  required={required}
                  maxLength={24}
                  {...form.getInputProps(`${path}.${index}.rows.${row}.title`)}
                />
              </div>
              <div style={{ flex: 4, minWidth: 0 }}>
                <WordsInput
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
              <RemoveRow
                labelled
                what={`row ${row + 1} of section ${index + 1}`}
                disabled={section.rows.length === 1}
                onClick={() => form.removeListItem(`${path}.${index}.rows`, row)}
              />
            </Group>
          ))}
          <div style={{ marginTop: 'var(--mantine-spacing-sm)' }}>
            <AddRow disabled={full} onClick={() => form.insertListItem(`${path}.${index}.rows`, { ...blankRow })}>
              Add a row
            </AddRow>
          </div>
        </Card>
      ))}
      <Group>
        <AddRow disabled={full} onClick={() => form.insertListItem(path, { title: '', rows: [{ ...blankRow }] })}>
          Add a section
        </AddRow>
        {full && (
          <Text size="xs" c="dimmed">
            A list has at most {mostRows} rows.
          </Text>
        )}
      </Group>
    </Stack>
  );
}
