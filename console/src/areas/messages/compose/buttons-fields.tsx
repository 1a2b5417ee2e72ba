import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { FormProps } from './form-props.ts';

const path = 'interactive.action.buttons';

/** Up to three buttons with words of their own. */
export function ButtonsFields({ form }: FormProps) {
  const { buttons } = form.values.interactive.action;
  return (
    <Stack gap="xs">
      {buttons.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: buttons have nothing else to be told by
        <Group key={index} align="flex-start" gap="xs" wrap="nowrap">
          <TextInput
            label={`Button ${index + 1}`}
            required
            maxLength={20}
            style={{ flex: 2, minWidth: 0 }}
            {...form.getInputProps(`${path}.${index}.title`)}
          />
          <TextInput
            label="Id"
            placeholder="made for you"
            maxLength={256}
            style={{ flex: 1, minWidth: 0 }}
            {...form.getInputProps(`${path}.${index}.id`)}
          />
          <ActionIcon
            mt={27}
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
          disabled={buttons.length >= 3}
          leftSection={<IconPlus size={15} />}
          onClick={() => form.insertListItem(path, { title: '', id: '' })}
        >
          Add a button
        </Button>
      </div>
    </Stack>
  );
}
