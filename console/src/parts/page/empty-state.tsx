import { Stack, Text, ThemeIcon } from '@mantine/core';
import { type Icon, IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  icon?: Icon;
  /** One sentence: `No intros yet.` */
  title: string;
  /** What to do about it. */
  hint?: ReactNode;
  /** A button that does it. */
  action?: ReactNode;
}

/** In place of a list that has nothing to show. */
export const EmptyState = ({ icon: Icon = IconInbox, title, hint, action }: EmptyStateProps) => (
  <Stack align="center" gap="xs" py={48} px="md" ta="center">
    <ThemeIcon size={56} radius="xl" variant="light">
      <Icon size={28} stroke={1.5} />
    </ThemeIcon>
    <Text fw={600} size="lg" mt="xs">
      {title}
    </Text>
    {hint && (
      <Text c="dimmed" maw="30rem">
        {hint}
      </Text>
    )}
    {action && <div style={{ marginTop: 12 }}>{action}</div>}
  </Stack>
);
