import { Anchor, ScrollArea, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import { inside, type Schema } from '../../api/index.ts';
import { EmptyState, Phone, Section, sayWord, Time } from '../../parts/index.ts';
import { useAnswers } from './use-answers.ts';

const say = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? Array.isArray(value)
        ? value.map(String).join(', ')
        : JSON.stringify(value)
      : String(value);

/** What people filled in, one row each. */
export function Answers({ flow }: { flow: Schema<'Flow'> }) {
  const { answers, isLoading, looked } = useAnswers(flow);
  const questions = [...new Set(answers.flatMap(({ values }) => Object.keys(inside(values))))];
  return (
    <Section title="Answers" description={looked}>
      {answers.length === 0 ? (
        isLoading ? (
          <Text size="sm" c="dimmed">
            Loading…
          </Text>
        ) : (
          <EmptyState title="No responses yet." hint="Send the flow with an interactive message or in a template." />
        )
      ) : (
        <ScrollArea.Autosize
          mah={360}
          viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Table of answers' }}
        >
          <Table stickyHeader style={{ minWidth: `${14 + 8 * questions.length}rem` }}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Person</Table.Th>
                {questions.map((name) => (
                  <Table.Th key={name}>{sayWord(name)}</Table.Th>
                ))}
                <Table.Th>When</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {answers.map(({ message, values }) => (
                <Table.Tr key={message.uuid}>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>
                    <Anchor component={Link} href={`/messages/${message.uuid}`} size="sm">
                      <Phone number={message.from_chatapp_number} copy={false} />
                    </Anchor>
                  </Table.Td>
                  {questions.map((name) => (
                    <Table.Td key={name}>{say(values[name])}</Table.Td>
                  ))}
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>
                    <Time at={message.created} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
    </Section>
  );
}
