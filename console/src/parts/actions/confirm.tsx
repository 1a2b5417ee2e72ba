import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';

export interface Question {
  /** A question: `Delete the list “Friends”?` */
  title: string;
  /** What will be lost or happen, in a sentence. */
  text: ReactNode;
  /** The verb on the button: `Delete`. */
  button: string;
  /** Red, unless it destroys nothing. */
  harmless?: boolean;
}

/**
 * Asks before a destructive act; resolves to whether to do it.
 * `if (await confirm({ title: 'Delete?', text: 'It cannot be brought back.', button: 'Delete' })) remove.mutate(…)`
 */
export function confirm({ title, text, button, harmless = false }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title: (
        <Text component="span" fw={600}>
          {title}
        </Text>
      ),
      children: <Text size="sm">{text}</Text>,
      labels: { confirm: button, cancel: 'Cancel' },
      // Enter must not delete.
      cancelProps: { 'data-autofocus': true },
      ...(!harmless && { confirmProps: { color: 'red.8' } }),
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    });
  });
}
