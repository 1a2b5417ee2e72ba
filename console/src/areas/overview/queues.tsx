import { Anchor, Group, Skeleton, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useList, useOne } from '../../api/index.ts';
import { EmptyState, Section, Status, sayFigure, Time, usePhoneFormat } from '../../parts/index.ts';
import { useSlowRefresh } from '../../parts/live/use-slow-refresh.ts';

const shown = 6;

interface Sender {
  uuid: string;
  name: string;
  chatapp_number: string;
}

/** What waits to be sent, by sender. */
export function Queues() {
  const accounts = useList('/v2/chatapp/accounts/', undefined, { pageSize: 20 });
  useSlowRefresh(['message.'], ['/v2/chatapp/accounts/{uuid}/queue/'], 3000);
  return (
    <Section
      title="Senders"
      actions={
        <Anchor component={Link} href="/settings/chat-accounts" size="sm">
          All senders
        </Anchor>
      }
    >
      {accounts.isLoading && <Skeleton h={100} />}
      {!accounts.isLoading && accounts.rows.length === 0 && (
        <EmptyState title="No senders yet." hint="On the sandbox, a number is registered with its first message." />
      )}
      {accounts.rows.length > 0 && (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Sender</Table.Th>
              <Table.Th scope="col" ta="right">
                Waiting
              </Table.Th>
              <Table.Th scope="col" visibleFrom="xs">
                Oldest
              </Table.Th>
              <Table.Th scope="col" ta="right">
                Per second
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {accounts.rows.slice(0, shown).map((account) => (
              <Queue key={account.uuid} account={account} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      {accounts.rows.length > shown && (
        <Text size="sm" c="dimmed">
          And {sayFigure((accounts.count ?? accounts.rows.length) - shown)} more.
        </Text>
      )}
    </Section>
  );
}

function Queue({ account }: { account: Sender }) {
  const say = usePhoneFormat();
  const { data } = useOne('/v2/chatapp/accounts/{uuid}/queue/', { uuid: account.uuid });
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        <Group gap="xs">
          <Anchor component={Link} href={`/settings/chat-accounts/${account.uuid}`} size="sm">
            {account.name || say(account.chatapp_number)}
          </Anchor>
          {data?.paused && <Status word="PAUSED" />}
        </Group>
        {account.name && (
          <Text size="xs" c="dimmed">
            {say(account.chatapp_number)}
          </Text>
        )}
      </Table.Th>
      <Table.Td ta="right">{data ? sayFigure(data.depth) : '…'}</Table.Td>
      <Table.Td visibleFrom="xs">
        <Time at={data?.oldest} />
      </Table.Td>
      <Table.Td ta="right">{data ? sayFigure(data.messages_per_second) : '…'}</Table.Td>
    </Table.Tr>
  );
}
