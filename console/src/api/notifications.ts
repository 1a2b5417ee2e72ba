import type { NotificationData, notifications as theirs } from '@mantine/notifications';
import { useSyncExternalStore } from 'react';

type Shown = Pick<typeof theirs, 'show' | 'hide'>;

/**
 * Short messages in the corner. Who has only opened a page has none, so what shows them is loaded with the first click or key, and
 * messages that are earlier wait for it.
 */
let shown: Shown | undefined;
let isWanted = false;
let count = 0;
const waiting: ((by: Shown) => void)[] = [];
const watchers = new Set<() => void>();

function want(): void {
  isWanted = true;
  for (const watcher of watchers) watcher();
}
for (const event of ['pointerdown', 'keydown']) window.addEventListener(event, want, { once: true, capture: true });

function tell(step: (by: Shown) => void): void {
  if (shown) step(shown);
  else {
    waiting.push(step);
    want();
  }
}

export const notifications = {
  /** Shows a message; gives the name to hide it by. */
  show(data: NotificationData): string {
    const id = `message-${++count}`;
    tell((by) => by.show({ id, ...data }));
    return id;
  },
  hide: (id: string): void => tell((by) => by.hide(id)),
};

/** Whether what shows messages should be there. */
export const useWanted = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    () => isWanted,
  );

/** What shows messages is there. */
export function takeMessages(by: Shown): void {
  shown = by;
  for (const step of waiting.splice(0)) step(by);
}
