import { ActionIcon, Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { screensOf } from '../../../parts/flows/flow-definition.ts';
import { type KindName, kinds } from './kinds.ts';
import {
  addPart,
  addScreen,
  blankDefinition,
  changePart,
  type Definition,
  movePart,
  moveScreen,
  partsOf,
  removePart,
  removeScreen,
  renameScreen,
} from './model.ts';
import { PartCard } from './part-card.tsx';

interface ScreensEditorProps {
  /** undefined: there is none yet. */
  definition: Definition | undefined;
  onChange(definition: Definition): void;
}

/** The screens of a flow, and the components of one of them. */
export function ScreensEditor({ definition = {}, onChange }: ScreensEditorProps) {
  const screens = screensOf(definition);
  const [chosen, setChosen] = useState('');
  const at = Math.max(
    0,
    screens.findIndex(({ id }) => id === chosen),
  );
  const screen = screens[at];
  if (!screen)
    return (
      <Stack align="flex-start" gap="xs">
        <Text size="sm" c="dimmed">
          There is no screen yet. A flow needs one before it can be published.
        </Text>
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => onChange(blankDefinition())}>
          Add a screen
        </Button>
      </Stack>
    );
  const add = () => {
    const next = addScreen(definition);
    onChange(next);
    setChosen(screensOf(next).at(-1)?.id ?? '');
  };
  const parts = partsOf(screen);
  return (
    <Stack>
      <Group gap="xs" role="group" aria-label="Screens">
        {screens.map(({ id, title }) => (
          <Button
            key={id}
            size="xs"
            variant={id === screen.id ? 'filled' : 'default'}
            aria-pressed={id === screen.id}
            onClick={() => setChosen(id)}
          >
            {title || id}
          </Button>
        ))}
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
          Add a screen
        </Button>
      </Group>
      <Group align="flex-end" wrap="nowrap">
        <TextInput
          label="Title of the screen"
          maxLength={30}
          style={{ flex: 1 }}
          value={screen.title ?? ''}
          onChange={(event) => onChange(renameScreen(definition, screen.id, event.currentTarget.value))}
        />
        <ActionIcon
          size="lg"
          variant="default"
          aria-label="Move the screen up"
          disabled={at === 0}
          onClick={() => onChange(moveScreen(definition, at, -1))}
        >
          <IconArrowUp size={16} />
        </ActionIcon>
        <ActionIcon
          size="lg"
          variant="default"
          aria-label="Move the screen down"
          disabled={at === screens.length - 1}
          onClick={() => onChange(moveScreen(definition, at, 1))}
        >
          <IconArrowDown size={16} />
        </ActionIcon>
        <ActionIcon
          size="lg"
          variant="default"
          aria-label="Remove the screen"
          onClick={() => onChange(removeScreen(definition, screen.id))}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      {parts.map((part, place) => (
        <PartCard
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
          key={place}
          part={part}
          screen={screen}
          screens={screens}
          isFirst={place === 0}
          isLast={place === parts.length - 1}
          onChange={(change) => onChange(changePart(definition, screen.id, place, change))}
          onMove={(by) => onChange(movePart(definition, screen.id, place, by))}
          onRemove={() => onChange(removePart(definition, screen.id, place))}
        />
      ))}
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          <Button variant="light" leftSection={<IconPlus size={16} />} style={{ alignSelf: 'flex-start' }}>
            Add a component
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(kinds) as KindName[])
            .filter((type) => type !== 'Footer' || !parts.some((part) => part.type === 'Footer'))
            .map((type) => (
              <Menu.Item key={type} onClick={() => onChange(addPart(definition, screen.id, type))}>
                {kinds[type].label}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
    </Stack>
  );
}
