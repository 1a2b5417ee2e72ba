import { ActionIcon, Collapse, Menu, Text, UnstyledButton } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconChevronDown, IconChevronRight, IconDots, IconGripVertical } from '@tabler/icons-react';
import { useId } from 'react';
import { RouteFields } from './route-fields.tsx';
import classes from './routing.module.css';
import type { Sorting } from './sorted.tsx';
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
  sorting: Sorting;
}

/** One route: a line that says what it does, and its fields when it is open. */
export function RouteCard({ form, route, index, opened, toggle, duplicate, remove, names, sorting }: RouteCardProps) {
  const isWrong = Object.keys(form.errors).some((path) => path.startsWith(`routes.${index}.`));
  const shown = opened || isWrong;
  const id = useId();
  const title = route.name || `Route ${index + 1}`;
  const Chevron = shown ? IconChevronDown : IconChevronRight;
  return (
    <li className={classes['route']} data-wrong={isWrong} {...sorting.item}>
      <div className={classes['head']}>
        <ActionIcon
          {...sorting.handle}
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
