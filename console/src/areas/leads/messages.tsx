import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useList } from '../../api/index.ts';
import { Section, Time } from '../../parts/index.ts';
import { useSlowRefresh } from '../../parts/live/use-slow-refresh.ts';
import { MessageBubble } from '../../parts/messages/message-bubble.tsx';

/** What was written to a person and by them, the newest first. */
export function MessagesOfLead({ number }: { number: string }) {
  const sent = useList('/v2/chatapp/messages/', { to: number }, { pageSize: 50 });
  const received = useList('/v2/chatapp/messages/', { from: number }, { pageSize: 50 });
  useSlowRefresh(['message.'], ['/v2/chatapp/messages/'], 3000);
  // Older than the end of either list, the other one's would stand alone.
  const ends = [sent, received].flatMap((list) => (list.hasMore ? (list.rows.at(-1)?.created ?? []) : []));
  const from = ends.toSorted().at(-1) ?? '';
  const all = [...sent.rows, ...received.rows].filter(({ created }) => created >= from);
  const messages = all.toSorted((one, other) => other.created.localeCompare(one.created));
  const loading = sent.isLoading || received.isLoading;
  const more = () => {
    for (const list of [sent, received]) if (list.hasMore && list.rows.at(-1)?.created === from) list.loadMore();
  };
  return (
    <Section
      title="Messages"
      actions={
        <Anchor component={Link} href={`/messages?q=${number.replaceAll(/\D/g, '')}`} size="sm">
          View all messages
        </Anchor>
      }
    >
      {loading && <Skeleton h={200} />}
      {!loading && messages.length === 0 && <Text c="dimmed">No messages yet.</Text>}
      <Stack gap="md">
        {messages.map((message) => (
          <div key={message.uuid}>
            <MessageBubble message={message} end={message.direction === 'OUTBOUND'} />
            <Text size="xs" c="dimmed" component="div" mt={2} ta={message.direction === 'OUTBOUND' ? 'right' : 'left'}>
              <Time at={message.created} />
            </Text>
          </div>
        ))}
      </Stack>
      {from !== '' && (
        <Group justify="center" mt="md">
          <Button variant="default" size="xs" loading={sent.isLoadingMore || received.isLoadingMore} onClick={more}>
            Show more
          </Button>
        </Group>
      )}
    </Section>
  );
}
