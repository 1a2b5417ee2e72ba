import { Stack, Table, Text } from '@mantine/core';
import { EmptyState } from '../../../parts/index.ts';
import { locale } from '../../../parts/locale.ts';
import type { LogDetail } from '../wizard/shares.ts';

const figure = new Intl.NumberFormat(locale);
/** So many failures the API looks at. */
const looked = 10_000;

/** Failures by their reason. */
export function Failures({ log }: { log: LogDetail }) {
  const reasons = Object.entries(log.failed_by_reason).sort(([, one], [, other]) => other - one);
  if (reasons.length === 0) return <EmptyState title="Nothing has failed." />;
  return (
    <Stack gap="xs">
      <Table aria-label="Failures by reason">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Reason</Table.Th>
            <Table.Th ta="right" w="7rem">
              Messages
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {reasons.map(([reason, count]) => (
            <Table.Tr key={reason}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{reason || 'No reason was given'}</Table.Td>
              <Table.Td ta="right">{figure.format(count)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {log.failed > looked && (
        <Text size="xs" c="dimmed">
          Of the newest {figure.format(looked)} failures. The export has them all.
        </Text>
      )}
    </Stack>
  );
}
