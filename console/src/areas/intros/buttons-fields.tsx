import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { PartProps } from './interactive-fields.tsx';
import { PlaceholderInput } from './placeholder-input.tsx';

const most = 3;

/** Up to three buttons with words of their own; the id is what `{{button_id}}` will hold. */
export function ButtonsFields({ form, at, value }: PartProps) {
  const { buttons } = value.action;
  const path = `${at}.action.buttons`;
  return (
    <Stack gap="xs">
      {buttons.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: buttons have nothing else to be told by
        <Group key={index} align="flex-end" gap="xs" wrap="nowrap">
          <div style={{ flex: 2, minWidth: 0 }}>
            <PlaceholderInput
              label={`Button ${index + 1}`}
              line
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
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            disabled={buttons.length === 1}
            aria-label={`Remove button ${index + 1}`}
            onClick={() => form.removeListItem(path, index)}
          >
            <IconTrash size={17} />
          </ActionIcon>
        </Group>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          disabled={buttons.length >= most}
          leftSection={<IconPlus size={15} />}
          onClick={() => form.insertListItem(path, { title: '', id: '' })}
        >
          Add a button
        </Button>
      </div>
    </Stack>
  );
}
