import { Skeleton, Stack, Table, Text } from '@mantine/core';
import { useList } from '../../api/index.ts';
import { EmptyState, Problem } from '../../parts/index.ts';
import type { Log } from './shares.ts';

const looked = 200;

/** Failures by their reason. */
export function Failures({ log }: { log: Log }) {
  const isSms = log.channel === 'SMS';
  const query = { campaign_log: log.uuid, status: 'FAILED' };
  const options = { pageSize: looked };
  const messages = useList('/v2/chatapp/messages/', query, { ...options, enabled: !isSms });
  const sms = useList('/v2/sms-records/', query, { ...options, enabled: isSms });
  const list = isSms ? sms : messages;
  if (list.error) return <Problem error={list.error} retry={list.retry} />;
  if (list.isLoading) return <Skeleton h={120} />;
  if (list.rows.length === 0) return <EmptyState title="Nothing has failed." />;
  const counts = new Map<string, number>();
  for (const { status_description: reason } of list.rows) {
    const words = reason || 'No reason was given';
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
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
          {sorted.map(([reason, count]) => (
            <Table.Tr key={reason}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{reason}</Table.Td>
              <Table.Td ta="right">{count}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {list.hasMore && (
        <Text size="xs" c="dimmed">
          Of the newest {list.rows.length} failures. The export has them all.
        </Text>
      )}
    </Stack>
  );
}
