import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from 'wouter';
import { oneOf, type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { Section, Status, Time } from '../../parts/index.ts';
import { nameOf } from '../../parts/intros/name.ts';

type Log = Row<'/v2/chatapp/chat-intro-status-logs/'>;

/** The intros that a person met, with how far each session came. */
export function IntrosOfLead({ number }: { number: string }) {
  const logs = useList('/v2/chatapp/chat-intro-status-logs/', { aparty_number: number });
  useLiveRefresh(['chat_intro.'], ['/v2/chatapp/chat-intro-status-logs/']);
  // The newest state of each session comes first.
  const sessions = [...Map.groupBy(logs.rows, ({ session }) => session).values()].map(([newest]) => newest as Log);
  const uuids = [...new Set(sessions.map(({ chat_intro }) => chat_intro))];
  const intros = useQueries({
    queries: uuids.map((uuid) => ({ ...oneOf('/v2/chatapp/chat-intros/{uuid}/', { uuid }), retry: false })),
  });
  const nameFor = (uuid: string): string => {
    const found = intros[uuids.indexOf(uuid)];
    return found?.data ? nameOf(found.data) : found?.error ? 'A deleted intro' : '…';
  };
  return (
    <Section title="Intros">
      {logs.isLoading && <Skeleton h={60} />}
      {!logs.isLoading && sessions.length === 0 && <Text c="dimmed">They have started no intro.</Text>}
      <Stack gap="sm">
        {sessions.map(({ session, chat_intro, status, created }) => (
          <Group key={session} justify="space-between" wrap="nowrap" gap="sm">
            <div style={{ minWidth: 0 }}>
              <Anchor component={Link} href={`/intros/${chat_intro}/sessions/${session}`} size="sm" fw={500}>
                {nameFor(chat_intro)}
              </Anchor>
              <Text size="xs" c="dimmed" component="div">
                <Time at={created} />
              </Text>
            </div>
            <Status word={status} />
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
