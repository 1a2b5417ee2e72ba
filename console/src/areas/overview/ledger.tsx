import { Alert, Skeleton, Table, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type Schema, useOne } from '../../api/index.ts';
import { Section, sayFigure } from '../../parts/index.ts';
import { useSlowRefresh } from '../../parts/live/use-slow-refresh.ts';

const rowsOf = (ledger: Schema<'Ledger'>): [string, number, number][] => [
  ['Accepted', ledger.accepted, ledger.sms.accepted],
  ['Final', sum(ledger.final), sum(ledger.sms.final)],
  ['Pending', sum(ledger.pending), sum(ledger.sms.pending)],
  ['Unaccounted for', ledger.unaccounted, ledger.sms.unaccounted],
];

/** The proof that nothing is lost: all that was accepted is final or pending. */
export function Ledger() {
  const { data } = useOne('/v2/account/ledger/');
  useSlowRefresh(['message.', 'sms.'], ['/v2/account/ledger/'], 10_000);
  const lost = data ? data.unaccounted + data.sms.unaccounted : 0;
  return (
    <Section title="Ledger" description="Every accepted message is accounted for.">
      {!data && <Skeleton h={90} />}
      {data && (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Messages</Table.Th>
              <Table.Th scope="col" ta="right">
                Chat
              </Table.Th>
              <Table.Th scope="col" ta="right">
                SMS
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rowsOf(data).map(([title, chat, sms]) => (
              <Table.Tr key={title}>
                <Table.Th scope="row" fw={500}>
                  {title}
                </Table.Th>
                <Table.Td ta="right">{sayFigure(chat)}</Table.Td>
                <Table.Td ta="right">{sayFigure(sms)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {data && lost === 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          <IconCheck size={15} aria-hidden style={{ verticalAlign: '-2px' }} /> Accepted equals final plus pending:
          nothing is lost.
        </Text>
      )}
      {lost !== 0 && (
        <Alert color="red" mt="sm">
          {sayFigure(lost)} messages are neither final nor pending. Look at the server's log.
        </Alert>
      )}
    </Section>
  );
}

const sum = (counts: object): number =>
  Object.values(counts).reduce((total: number, count) => total + Number(count), 0);
