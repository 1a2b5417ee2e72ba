import { Button, Checkbox, Divider, Popover, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import type { List } from '../../api/hooks.ts';
import { useNarrow } from '../page/narrow.ts';
import { CsvOfShown } from './csv-of-shown.tsx';
import { SavedFilters } from './saved-filters.tsx';
import type { Columns } from './use-columns.ts';

interface ViewButtonProps<R> {
  label: string;
  list: List<R>;
  columns: Columns<R>;
  /** Something is filtered. */
  active: boolean;
}

/** How a list is shown: its columns, saved filters, and what is shown as a file. */
export function ViewButton<R>({ label, list, columns, active }: ViewButtonProps<R>) {
  const [opened, { toggle, close }] = useDisclosure();
  const narrow = useNarrow();
  return (
    <Popover
      opened={opened}
      onChange={(now) => !now && close()}
      trapFocus
      returnFocus
      position="bottom-end"
      width={260}
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={16} />}
          aria-expanded={opened}
          onClick={toggle}
        >
          View
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={`View of ${label}`}>
        <Stack gap="sm">
          {!narrow && (
            <Stack gap={6} role="group" aria-label="Columns">
              <Text size="xs" fw={600} c="dimmed">
                Columns
              </Text>
              {columns.all.map(({ title }) => (
                <Checkbox
                  key={title}
                  size="xs"
                  label={title}
                  checked={columns.shown.some((column) => column.title === title)}
                  onChange={() => columns.toggle(title)}
                />
              ))}
            </Stack>
          )}
          {!narrow && <Divider />}
          <SavedFilters active={active} onChosen={close} />
          <Divider />
          <CsvOfShown label={label} list={list} columns={columns.shown} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
