import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

const titleOf = (node: ReactNode): string | undefined => (typeof node === 'string' ? node : undefined);

/** What something is called, and smaller beneath it what else one wants to know; for cells of a table. */
export const TwoLines = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <div style={{ minWidth: 0 }}>
    {first && (
      <Text size="sm" fw={500} component="div" truncate title={titleOf(first)}>
        {first}
      </Text>
    )}
    <Text size="xs" c="dimmed" component="div" truncate title={titleOf(second)}>
      {second}
    </Text>
  </div>
);
