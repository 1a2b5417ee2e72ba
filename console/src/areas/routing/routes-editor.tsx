import { Button, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { RouteCard } from './route-card.tsx';
import { useSorted } from './sorted.tsx';
import { useNames } from './use-names.ts';
import { type ConfigValues, emptyRoute, type RouteValues } from './values.ts';

/** The routes in their order, which can be changed by dragging or with the keyboard. */
export function RoutesEditor({ form }: { form: UseFormReturnType<ConfigValues> }) {
  const { routes, channel } = form.values;
  const names = useNames();
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(toBegin(routes)));
  const list = useRef<HTMLDivElement>(null);
  const { List, Item } = useSorted(list);
  const move = (from: number, to: number) => {
    form.reorderListItem('routes', { from, to });
    form.clearErrors();
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
  return (
    <Stack gap="sm">
      {routes.length === 0 && (
        <Text size="sm" c="dimmed">
          No routes yet. Only the fallback applies.
        </Text>
      )}
      <List
        keys={routes.map(({ key }) => key)}
        titleOf={(place) => routes[place]?.name || `Route ${place + 1}`}
        move={move}
      >
        <Stack
          ref={list}
          component="ol"
          gap="sm"
          m={0}
          p={0}
          style={{ listStyle: 'none' }}
          aria-label="Routes, in order"
        >
          {routes.map((route, index) => (
            <Item key={route.key} id={route.key}>
              {(sorting) => (
                <RouteCard
                  sorting={sorting}
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
              )}
            </Item>
          ))}
        </Stack>
      </List>
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
