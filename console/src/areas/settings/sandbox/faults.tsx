import { Button, NumberInput, Select, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { call, type Schema, useAct, useList } from '../../../api/index.ts';
import { ApiForm, May, optionsOf, Section, Time } from '../../../parts/index.ts';

type Kind = Schema<'SandboxFaultCreate'>['kind'];

const kinds: Record<Kind, string> = {
  reject: 'Refused: not a chat-app user (131026)',
  retry: 'The carrier is down: the message is postponed',
  throttle: 'Too many messages: the sender is slowed down',
  unknown_taken: 'Accepted, but the response is lost',
  unknown_lost: 'Not accepted, and no response',
  slow: 'The response takes two seconds',
  break: 'The carrier breaks down: it accepts nothing of the hand-over',
};
const options = optionsOf(kinds);
const path = '/v2/sandbox/faults/';

/** What is to go wrong with the next messages or calls of the sandbox. */
export function Faults() {
  const list = useList(path, undefined);
  const clear = useAct('delete', path, { invalidates: [path], done: 'Faults cleared.' });
  // A form that was sent begins anew.
  const [added, setAdded] = useState(0);
  return (
    <Section
      title="Faults"
      description="Make the next sandbox messages, SMS or calls fail, to test your integration. Faults apply in order."
      actions={
        list.rows.length > 0 &&
        clear.may && (
          <Button variant="default" size="xs" loading={clear.isPending} onClick={() => clear.mutate(undefined)}>
            Clear all
          </Button>
        )
      }
    >
      <Stack>
        <May>
          <ApiForm
            key={added}
            initialValues={{ kind: 'reject' as Kind, count: 1 as number | string }}
            submit={({ kind, count }) =>
              call('post', path, { body: { carrier: 'sandbox', kind, count: count as number } })
            }
            button="Add fault"
            done="Added."
            invalidates={[path]}
            onDone={() => setAdded(added + 1)}
          >
            {(form) => (
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <Select label="Fault" data={options} allowDeselect={false} {...form.getInputProps('kind')} />
                <NumberInput label="Count" min={1} max={10_000} clampBehavior="none" {...form.getInputProps('count')} />
              </SimpleGrid>
            )}
          </ApiForm>
        </May>
        {list.rows.length === 0 ? (
          <Text size="sm" c="dimmed">
            No faults. The last digits of a number decide the outcome.
          </Text>
        ) : (
          <Table aria-label="Pending faults">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Fault</Table.Th>
                <Table.Th ta="right">Left</Table.Th>
                <Table.Th ta="right">Created</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.rows.map((fault) => (
                <Table.Tr key={fault.uuid}>
                  <Table.Td>{kinds[fault.kind]}</Table.Td>
                  <Table.Td ta="right">
                    {fault.left} of {fault.count}
                  </Table.Td>
                  <Table.Td ta="right">
                    <Text size="sm">
                      <Time at={fault.created} />
                    </Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Stack>
    </Section>
  );
}
