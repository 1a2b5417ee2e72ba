import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type Schema, sayProblem } from '../../api/index.ts';
import { notifications } from '../../api/notifications.ts';
import { invalidate } from '../../api/refresh.ts';

/** So long it can be undone. */
const undoMs = 7000;

/** Rows that are about to go: they are not shown any more, and come back if it is undone. */
let leaving: ReadonlySet<string> = new Set();
const watchers = new Set<() => void>();
/** What is held back; closing the tab would drop it. */
let held = 0;
window.addEventListener('beforeunload', (event) => {
  if (held > 0) event.preventDefault();
});

function setLeaving(next: ReadonlySet<string>): void {
  leaving = next;
  for (const watcher of watchers) watcher();
}

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
};

/** The rows that are on their way out, by their id. */
export const useLeaving = (): ReadonlySet<string> => useSyncExternalStore(watch, () => leaving);

interface Act {
  /** What will have been done: `3 contacts deleted.` */
  done: string;
  /** Rows that go with it. */
  removes?: string[];
  /** Does it; its answer may name rows that were left as they are. */
  run(): Promise<Schema<'ManyResult'> | object>;
  /** Paths that are read anew then. */
  invalidates: string[];
}

/** Does something to many rows after a few seconds in which it can be undone. It is done also for who has gone to another page. */
export function useHoldBack(): (act: Act) => void {
  const client = useQueryClient();
  return ({ done, removes = [], run, invalidates }) => {
    held += 1;
    setLeaving(new Set([...leaving, ...removes]));
    let isOver = false;
    const finish = (): boolean => {
      if (isOver) return false;
      isOver = true;
      held -= 1;
      clearTimeout(timer);
      notifications.hide(id);
      return true;
    };
    const release = (): void => setLeaving(new Set([...leaving].filter((key) => !removes.includes(key))));
    const undo = (): void => {
      if (finish()) release();
    };
    const act = async (): Promise<void> => {
      if (!finish()) return;
      try {
        sayErrors(await run());
      } catch (error) {
        notifications.show({ color: 'red', title: 'Request failed', message: sayProblem(error) });
      }
      await invalidate(client, invalidates).catch(() => undefined);
      release();
    };
    const timer = setTimeout(() => void act(), undoMs);
    const id = notifications.show({
      autoClose: false,
      // Closing it says that it was read: it is done at once.
      onClose: () => void act(),
      message: (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{done}</Text>
          <Button size="compact-sm" variant="light" onClick={undo}>
            Undo
          </Button>
        </Group>
      ),
    });
  };
}

/** Says which rows were left as they are, and why. */
export function sayErrors(answer: object): void {
  const errors = 'errors' in answer ? (answer as Schema<'ManyResult'>).errors : [];
  if (errors.length === 0) return;
  const reasons = [...new Set(errors.map(({ detail }) => detail))];
  notifications.show({
    color: 'yellow',
    title: errors.length === 1 ? 'One was left as it is' : `${errors.length} were left as they are`,
    message: reasons.join(' '),
  });
}
