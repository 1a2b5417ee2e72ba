import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Names and values beneath each other. */
export function Facts({
  label,
  rows,
}: {
  label: string;
  rows: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <Table variant="vertical" layout="fixed" aria-label={label} withRowBorders verticalSpacing="xs">
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w="38%" bg="transparent" fw={500} style={{ verticalAlign: 'top' }} scope="row">
              <Text size="sm" c="dimmed" component="span" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Text>
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
