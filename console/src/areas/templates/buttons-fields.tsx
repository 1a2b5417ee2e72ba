import { ActionIcon, Button, Card, Group, Menu, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { ButtonFields } from './button-fields.tsx';
import { blankButton, buttonTypes } from './button-form.ts';
import type { FormProps } from './form-props.ts';

/** The buttons of a template, in their order. */
export function ButtonsFields({ form }: FormProps) {
  const { buttons } = form.values;
  const shown = buttons.map((button, index) => ({ button, index })).filter(({ button }) => button.type !== 'OTP');
  const { error } = form.getInputProps('buttons');
  return (
    <Stack gap="sm">
      {shown.map(({ button, index }, place) => (
        <Card key={`${index} ${button.type}`} bg="transparent">
          <Group justify="space-between" mb="xs">
            <Text size="sm" fw={600}>
              {place + 1}. {buttonTypes.find(({ value }) => value === button.type)?.label ?? button.type}
            </Text>
            <Group gap={4}>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={place === 0}
                aria-label={`Move button ${place + 1} up`}
                onClick={() => form.reorderListItem('buttons', { from: index, to: shown[place - 1]!.index })}
              >
                <IconArrowUp size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={place === shown.length - 1}
                aria-label={`Move button ${place + 1} down`}
                onClick={() => form.reorderListItem('buttons', { from: index, to: shown[place + 1]!.index })}
              >
                <IconArrowDown size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove button ${place + 1}`}
                onClick={() => form.removeListItem('buttons', index)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          </Group>
          <ButtonFields form={form} index={index} />
        </Card>
      ))}
      {error && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
      <div>
        <Menu withinPortal position="bottom-start">
          <Menu.Target>
            <Button variant="default" size="xs" disabled={shown.length >= 10} leftSection={<IconPlus size={15} />}>
              Add a button
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {buttonTypes.map(({ value, label }) => (
              <Menu.Item key={value} onClick={() => form.insertListItem('buttons', blankButton(value))}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
    </Stack>
  );
}
