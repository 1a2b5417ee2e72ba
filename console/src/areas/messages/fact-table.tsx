import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

export type FactRow = [name: string, value: ReactNode] | false | undefined;

/** Names and values, one below the other; what is `false` is left out. */
export const FactTable = ({ rows }: { rows: FactRow[] }) => (
  <Table withRowBorders={false} verticalSpacing={5} horizontalSpacing={0} layout="fixed">
    <Table.Tbody>
      {rows
        .filter((row) => row !== false && row !== undefined)
        .map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w={110} c="dimmed" fw={500} style={{ verticalAlign: 'top', textAlign: 'start' }}>
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
    </Table.Tbody>
  </Table>
);
