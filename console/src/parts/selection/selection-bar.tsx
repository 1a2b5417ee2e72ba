import { Button, Group, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { sayFigure } from '../words.ts';
import type { Selection } from './selection.tsx';

interface SelectionBarProps {
  selection: Selection;
  /** The rows that are here; “all” means these, and at most as many as the API takes at once. */
  shown: string[];
  /** Buttons that act on those chosen. */
  children: ReactNode;
}

/** What the API takes at once. */
const mostChosen = 1000;

/** Over a list, while rows of it are chosen: how many, and what can be done with them. */
export function SelectionBar({ selection, shown, children }: SelectionBarProps) {
  const { chosen, choose } = selection;
  if (chosen.size === 0) return null;
  const all = shown.slice(0, mostChosen);
  return (
    <Paper withBorder p="xs" px="md" mb="md" role="toolbar" aria-label="Selected rows">
      <Group justify="space-between" gap="sm">
        <Group gap="xs">
          <Text size="sm" fw={500} aria-live="polite">
            {sayFigure(chosen.size)} selected
          </Text>
          {chosen.size < all.length && (
            <Button size="xs" variant="subtle" onClick={() => choose(all)}>
              Select all {sayFigure(all.length)} loaded
            </Button>
          )}
          <Button size="xs" variant="subtle" color="gray" onClick={() => choose([])}>
            Clear selection
          </Button>
        </Group>
        <Group gap="xs">{children}</Group>
      </Group>
    </Paper>
  );
}
