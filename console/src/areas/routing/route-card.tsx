import { useSortable } from '@dnd-kit/sortable';
import {
  ActionIcon,
  Box,
  Collapse,
  Divider,
  Menu,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconChevronDown, IconChevronRight, IconDots, IconGripVertical } from '@tabler/icons-react';
import { useId } from 'react';
import { ConditionsFields } from './conditions.tsx';
import { DestinationFields } from './destination-fields.tsx';
import classes from './routing.module.css';
import type { ConfigValues, RouteValues } from './values.ts';
import { type Names, sayConditions, sayDestination } from './words.ts';

interface RouteCardProps {
  form: UseFormReturnType<ConfigValues>;
  route: RouteValues;
  index: number;
  opened: boolean;
  toggle(): void;
  duplicate(): void;
  remove(): void;
  names: Names;
}

/** One route: a line that says what it does, and its fields when it is open. */
export function RouteCard({ form, route, index, opened, toggle, duplicate, remove, names }: RouteCardProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: route.key,
  });
  const isWrong = Object.keys(form.errors).some((path) => path.startsWith(`routes.${index}.`));
  const shown = opened || isWrong;
  const id = useId();
  const title = route.name || `Route ${index + 1}`;
  const Chevron = shown ? IconChevronDown : IconChevronRight;
  return (
    <li
      ref={setNodeRef}
      className={classes['route']}
      data-wrong={isWrong}
      data-dragging={isDragging}
      style={{
        ...(transform && { transform: `translate3d(${Math.round(transform.x)}px, ${Math.round(transform.y)}px, 0)` }),
        ...(transition && { transition }),
      }}
    >
      <div className={classes['head']}>
        <ActionIcon
          ref={setActivatorNodeRef}
          {...attributes}
          {...listeners}
          variant="subtle"
          color="gray"
          className={classes['handle'] ?? ''}
          aria-label={`Move ${title}`}
        >
          <IconGripVertical size={18} />
        </ActionIcon>
        <span className={classes['place']} aria-hidden>
          {index + 1}
        </span>
        <UnstyledButton className={classes['title'] ?? ''} onClick={toggle} aria-expanded={shown} aria-controls={id}>
          <Text fw={600} size="sm">
            {title}
            {isWrong && (
              <Text component="span" c="var(--mantine-color-error)" size="sm">
                {' '}
                · needs a correction
              </Text>
            )}
          </Text>
          <Text size="sm" c="dimmed">
            {sayConditions(route.conditions, names)} → {sayDestination(route.destination, names)}
            {route.group && ` · group ${route.group}, weight ${route.weight}`}
          </Text>
        </UnstyledButton>
        <Chevron size={18} aria-hidden />
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`More about ${title}`}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={duplicate}>Duplicate</Menu.Item>
            <Menu.Item color="red" onClick={remove}>
              Remove
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <Collapse expanded={shown} id={id}>
        {shown && <RouteFields form={form} route={route} index={index} />}
      </Collapse>
    </li>
  );
}

const RouteFields = ({ form, route, index }: Pick<RouteCardProps, 'form' | 'route' | 'index'>) => (
  <Box className={classes['body'] ?? ''}>
    <Stack gap="md" pt="sm">
      <TextInput
        label="Name"
        description="Shown in the records of matching calls and messages."
        placeholder="Office hours"
        maxLength={200}
        {...form.getInputProps(`routes.${index}.name`)}
      />
      <Divider label="Conditions (all must match)" labelPosition="left" />
      <ConditionsFields form={form} index={index} />
      <Divider label="Destination" labelPosition="left" />
      <DestinationFields form={form} at={`routes.${index}.destination`} values={route.destination} />
      <Divider label="Split traffic" labelPosition="left" />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Group"
          description="Split traffic between routes: adjacent routes with the same group share their traffic by weight."
          placeholder="None"
          maxLength={50}
          {...form.getInputProps(`routes.${index}.group`)}
        />
        {route.group && (
          <NumberInput
            label="Weight"
            description="Share of traffic within the group."
            min={1}
            max={1000}
            {...form.getInputProps(`routes.${index}.weight`)}
          />
        )}
      </SimpleGrid>
    </Stack>
  </Box>
);
