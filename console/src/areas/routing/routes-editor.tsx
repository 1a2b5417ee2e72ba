import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { Button, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { RouteCard } from './route-card.tsx';
import { useNames } from './use-names.ts';
import { type ConfigValues, emptyRoute, type RouteValues } from './values.ts';

const instructions =
  'Press space to pick a route up, the arrow keys to move it, space to put it down, Escape to leave it where it was.';

/** The routes in their order, which can be changed by dragging or with the keyboard. */
export function RoutesEditor({ form }: { form: UseFormReturnType<ConfigValues> }) {
  const { routes, channel } = form.values;
  const names = useNames();
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(toBegin(routes)));
  const sensors = useSensors(
    // A few pixels, so that a click stays a click.
    useSensor(PointerSensor, { activationConstraint: { distance: 5 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const placeOf = (key: UniqueIdentifier): number => routes.findIndex((route) => route.key === key);
  const titleOf = (key: UniqueIdentifier): string => routes[placeOf(key)]?.name || `Route ${placeOf(key) + 1}`;
  const move = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) {
      form.reorderListItem('routes', { from: placeOf(active.id), to: placeOf(over.id) });
      form.clearErrors();
    }
  };
  const insert = (index: number, route = emptyRoute(channel)) => {
    form.insertListItem('routes', route, index);
    form.clearErrors();
    setOpen(new Set([...open, route.key]));
  };
  const toggle = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  const announcements: Announcements = {
    onDragStart: ({ active }) => `${titleOf(active.id)} is picked up, at place ${placeOf(active.id) + 1}.`,
    onDragOver: ({ active, over }) =>
      over ? `${titleOf(active.id)} is over place ${placeOf(over.id) + 1} of ${routes.length}.` : undefined,
    onDragEnd: ({ active, over }) =>
      over ? `${titleOf(active.id)} was put down at place ${placeOf(over.id) + 1}.` : 'It was put back.',
    onDragCancel: ({ active }) => `${titleOf(active.id)} was left where it was.`,
  };
  return (
    <Stack gap="sm">
      {routes.length === 0 && (
        <Text size="sm" c="dimmed">
          No routes yet. Only the fallback applies.
        </Text>
      )}
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={move}
        accessibility={{ announcements, screenReaderInstructions: { draggable: instructions } }}
      >
        <SortableContext items={routes.map(({ key }) => key)} strategy={verticalListSortingStrategy}>
          <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Routes, in order">
            {routes.map((route, index) => (
              <RouteCard
                key={route.key}
                form={form}
                route={route}
                index={index}
                names={names}
                opened={open.has(route.key)}
                toggle={() => toggle(route.key)}
                duplicate={() =>
                  insert(index + 1, {
                    ...structuredClone(route),
                    key: emptyRoute(channel).key,
                    name: copyName(route.name),
                  })
                }
                remove={() => {
                  form.removeListItem('routes', index);
                  form.clearErrors();
                }}
              />
            ))}
          </Stack>
        </SortableContext>
      </DndContext>
      <Button
        variant="light"
        leftSection={<IconPlus size={16} />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => insert(routes.length)}
      >
        Add a route
      </Button>
    </Stack>
  );
}

/** The only route of a new config waits to be filled in. */
const toBegin = (routes: RouteValues[]): string[] =>
  routes.length === 1 ? routes.filter(({ name }) => !name).map(({ key }) => key) : [];

const copyName = (name: string): string => (name ? `${name} (copy)` : '');
