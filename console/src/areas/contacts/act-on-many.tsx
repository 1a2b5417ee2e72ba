import { Button, Menu, ScrollArea } from '@mantine/core';
import { IconBan, IconListCheck, IconTrash, IconX } from '@tabler/icons-react';
import { call, type Row } from '../../api/index.ts';
import { useAllLists } from '../../parts/fields/use-all-lists.ts';
import { sayFigure, useMay } from '../../parts/index.ts';
import { useHoldBack } from '../../parts/selection/hold-back.tsx';
import type { Selection } from '../../parts/selection/selection.tsx';
import { SelectionBar } from '../../parts/selection/selection-bar.tsx';

interface ActOnManyProps {
  selection: Selection;
  rows: Row<'/v2/contacts/'>[];
  /** The list that the contacts are filtered by. */
  list: string;
}

const channels = [
  { value: 'ALL', label: 'All channels' },
  { value: 'CHATAPP', label: 'Chat' },
  { value: 'SMS', label: 'SMS' },
  { value: 'VOICE', label: 'Calls' },
] as const;

const sayPeople = (count: number): string => (count === 1 ? 'One contact' : `${sayFigure(count)} contacts`);

/** What can be done with the chosen contacts. */
export function ActOnContacts({ selection, rows, list }: ActOnManyProps) {
  const lists = useAllLists(selection.chosen.size > 0);
  const holdBack = useHoldBack();
  const mayOptOut = useMay('optouts:write');
  const chosen = rows.filter(({ uuid }) => selection.chosen.has(uuid));
  const contacts = chosen.map(({ uuid }) => uuid);
  const who = sayPeople(contacts.length);
  const invalidates = ['/v2/contacts/', '/v2/lists/', '/v2/opt-outs/'];
  const act = (done: string, run: () => Promise<object>, removes: string[] = []): void => {
    holdBack({ done, run, removes, invalidates });
    selection.choose([]);
  };
  const here = lists.find(({ uuid }) => uuid === list);
  return (
    <SelectionBar selection={selection} shown={rows.map(({ uuid }) => uuid)}>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconListCheck size={14} />}>
            Add to list
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {lists.length === 0 && <Menu.Label>No lists yet.</Menu.Label>}
          <ScrollArea.Autosize mah="18rem">
            {lists.map(({ uuid, name }) => (
              <Menu.Item
                key={uuid}
                onClick={() =>
                  act(`${who} added to ${name}.`, () =>
                    call('post', '/v2/lists/{uuid}/contacts/', { params: { uuid }, body: { contacts } }),
                  )
                }
              >
                {name}
              </Menu.Item>
            ))}
          </ScrollArea.Autosize>
        </Menu.Dropdown>
      </Menu>
      {here && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconX size={14} />}
          onClick={() =>
            act(
              `${who} removed from ${here.name}.`,
              () => call('delete', '/v2/lists/{uuid}/contacts/', { params: { uuid: list }, body: { contacts } }),
              contacts,
            )
          }
        >
          Remove from {here.name}
        </Button>
      )}
      {mayOptOut && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size="xs" variant="default" leftSection={<IconBan size={14} />}>
              Opt out
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {channels.map(({ value, label }) => (
              <Menu.Item
                key={value}
                onClick={() =>
                  act(`${who} opted out: ${label.toLowerCase()}.`, () =>
                    call('post', '/v2/opt-outs/multiple/', {
                      body: { phone_numbers: chosen.map(({ phone_number }) => phone_number), channel: value },
                    }),
                  )
                }
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Button
        size="xs"
        color="red"
        variant="light"
        leftSection={<IconTrash size={14} />}
        onClick={() =>
          act(`${who} deleted.`, () => call('post', '/v2/contacts/delete/', { body: { contacts } }), contacts)
        }
      >
        Delete
      </Button>
    </SelectionBar>
  );
}
