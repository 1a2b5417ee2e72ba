import { ActionIcon, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconLink, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { copyText } from '../facts/copy.tsx';
import { useKept } from './kept.ts';

interface Saved {
  name: string;
  search: string;
}

const isSaved = (value: unknown): value is Saved => {
  const { name, search } = (value ?? {}) as Partial<Saved>;
  return typeof name === 'string' && typeof search === 'string';
};

/** Filters under names of one's own, and the address that shares them. */
export function SavedFilters({ active, onChosen }: { active: boolean; onChosen(): void }) {
  const [path] = useLocation();
  const search = useSearch();
  const [saved, setSaved] = useKept(`filters ${path}`, isSaved);
  const [name, setName] = useState('');
  const save = (): void => {
    const wanted = name.trim();
    if (!wanted) return;
    setSaved([...saved.filter((one) => one.name !== wanted), { name: wanted, search }]);
    setName('');
  };
  return (
    <Stack gap={6}>
      <Text size="xs" fw={600} c="dimmed">
        Saved filters
      </Text>
      {saved.length === 0 && !active && (
        <Text size="sm" c="dimmed">
          Set filters to save them under a name.
        </Text>
      )}
      {saved.map((one) => (
        <Group key={one.name} justify="space-between" wrap="nowrap" gap="xs">
          <Anchor component={Link} href={`${path}?${one.search}`} size="sm" truncate onClick={onChosen}>
            {one.name}
          </Anchor>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`Delete the saved filters ${one.name}`}
            onClick={() => setSaved(saved.filter(({ name }) => name !== one.name))}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Group>
      ))}
      {active && (
        <>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              save();
            }}
          >
            <Group gap="xs" wrap="nowrap">
              <TextInput
                aria-label="Name of the filters"
                placeholder="Name"
                size="xs"
                maxLength={80}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                style={{ flex: 1 }}
              />
              <Button type="submit" size="xs" disabled={name.trim() === ''}>
                Save
              </Button>
            </Group>
          </form>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconLink size={15} />}
            onClick={() => void copyText(location.href)}
            style={{ alignSelf: 'start' }}
          >
            Copy link
          </Button>
        </>
      )}
    </Stack>
  );
}
