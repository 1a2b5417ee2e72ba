import { Button, Menu, Popover, Stack, TextInput } from '@mantine/core';
import { IconProgressCheck, IconTrash, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import { call, type Row } from '../../api/index.ts';
import { optionsOf, sayFigure } from '../../parts/index.ts';
import { useHoldBack } from '../../parts/selection/hold-back.tsx';
import type { Selection } from '../../parts/selection/selection.tsx';
import { SelectionBar } from '../../parts/selection/selection-bar.tsx';
import { leadStatuses } from './words.ts';

/** What can be done with the chosen leads. */
export function ActOnLeads({ selection, rows }: { selection: Selection; rows: Row<'/v2/chatapp/leads/'>[] }) {
  const holdBack = useHoldBack();
  const [owner, setOwner] = useState('');
  const [opened, setOpened] = useState(false);
  const leads = rows.map(({ uuid }) => uuid).filter((uuid) => selection.chosen.has(uuid));
  const what = leads.length === 1 ? 'One lead' : `${sayFigure(leads.length)} leads`;
  const act = (done: string, run: () => Promise<object>, removes: string[] = []): void => {
    holdBack({ done, run, removes, invalidates: ['/v2/chatapp/leads/'] });
    selection.choose([]);
  };
  const assign = (): void => {
    setOpened(false);
    act(owner ? `${what} assigned to ${owner}.` : `${what} assigned to nobody.`, () =>
      call('post', '/v2/chatapp/leads/update/', { body: { leads, owner } }),
    );
  };
  return (
    <SelectionBar selection={selection} shown={rows.map(({ uuid }) => uuid)}>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconProgressCheck size={14} />}>
            Status
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {optionsOf(leadStatuses).map(({ value, label }) => (
            <Menu.Item
              key={value}
              onClick={() =>
                act(`${what} set to ${label}.`, () =>
                  call('post', '/v2/chatapp/leads/update/', {
                    body: { leads, status: value as (typeof leadStatuses)[number] },
                  }),
                )
              }
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Popover opened={opened} onChange={setOpened} trapFocus position="bottom-end">
        <Popover.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconUser size={14} />}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            Assign
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              assign();
            }}
          >
            <Stack gap="xs">
              <TextInput
                label="Owner"
                description="Empty: nobody."
                maxLength={255}
                value={owner}
                onChange={(event) => setOwner(event.currentTarget.value)}
              />
              <Button type="submit" size="xs">
                Assign {what.toLowerCase()}
              </Button>
            </Stack>
          </form>
        </Popover.Dropdown>
      </Popover>
      <Button
        size="xs"
        color="red"
        variant="light"
        leftSection={<IconTrash size={14} />}
        onClick={() =>
          act(`${what} deleted.`, () => call('post', '/v2/chatapp/leads/delete/', { body: { leads } }), leads)
        }
      >
        Delete
      </Button>
    </SelectionBar>
  );
}
