import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from 'wouter';
import { oneOf, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { Section, Status, Time } from '../../parts/index.ts';
import { nameOf } from '../../parts/intros/name.ts';

/** The intros that a person met, with how far each session came. */
export function IntrosOfLead({ number }: { number: string }) {
  const sessions = useList('/v2/chatapp/chat-intro-sessions/', { aparty_number: number });
  useLiveRefresh(['chat_intro.'], ['/v2/chatapp/chat-intro-sessions/']);
  const uuids = [...new Set(sessions.rows.map(({ chat_intro }) => chat_intro))];
  const intros = useQueries({
    queries: uuids.map((uuid) => ({ ...oneOf('/v2/chatapp/chat-intros/{uuid}/', { uuid }), retry: false })),
  });
  const nameFor = (uuid: string): string => {
    const found = intros[uuids.indexOf(uuid)];
    return found?.data ? nameOf(found.data) : found?.error ? 'A deleted intro' : '…';
  };
  return (
    <Section title="Intros">
      {sessions.isLoading && <Skeleton h={60} />}
      {!sessions.isLoading && sessions.rows.length === 0 && <Text c="dimmed">No intros started.</Text>}
      <Stack gap="sm">
        {sessions.rows.map(({ uuid: session, chat_intro, status, started }) => (
          <Group key={session} justify="space-between" wrap="nowrap" gap="sm">
            <div style={{ minWidth: 0 }}>
              <Anchor component={Link} href={`/intros/${chat_intro}/sessions/${session}`} size="sm" fw={500}>
                {nameFor(chat_intro)}
              </Anchor>
              <Text size="xs" c="dimmed" component="div">
                <Time at={started} />
              </Text>
            </div>
            <Status word={status} />
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
