import { Group, Stack, TextInput } from '@mantine/core';
import { AddRow, RemoveRow } from '../table/row-buttons.tsx';
import { WordsInput } from './words-input.tsx';
import type { InteractiveProps } from './writing-form.ts';

const most = 3;

/** Up to three buttons with words of their own; the id is what comes back, and what `{{button_id}}` will hold. */
export function ButtonsFields({ form, at, value, required = false }: InteractiveProps) {
  const { buttons } = value.action;
  const path = `${at}.action.buttons`;
  return (
    <Stack gap="xs">
      {buttons.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: buttons have nothing else to be told by
        <Group key={index} align="flex-start" gap="xs" wrap="nowrap">
          <div style={{ flex: 2, minWidth: 0 }}>
            <WordsInput
              label={`Button ${index + 1}`}
              line
              required={required}
              maxLength={20}
              {...form.getInputProps(`${path}.${index}.title`)}
            />
          </div>
          <TextInput
            label="Id"
            placeholder="made for you"
            maxLength={256}
            style={{ flex: 1, minWidth: 0 }}
            {...form.getInputProps(`${path}.${index}.id`)}
          />
          <RemoveRow
            labelled
            what={`button ${index + 1}`}
            disabled={buttons.length === 1}
            onClick={() => form.removeListItem(path, index)}
          />
        </Group>
      ))}
      <AddRow disabled={buttons.length >= most} onClick={() => form.insertListItem(path, { title: '', id: '' })}>
        Add a button
      </AddRow>
    </Stack>
  );
}
