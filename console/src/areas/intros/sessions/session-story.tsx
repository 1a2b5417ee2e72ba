import { Stack, Text } from '@mantine/core';
import { IconCheck, IconChecks, IconCircleX } from '@tabler/icons-react';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { invalidate, oneOf, type Schema } from '../../../api/index.ts';
import { useLive } from '../../../live/index.ts';
import { type Step, Story } from '../../../parts/index.ts';
import { type Log, sayLog } from '../../../parts/intros/log-story.ts';
import { MessageBubble } from '../../../parts/messages/message-bubble.tsx';

type StatusLog = Schema<'MessageStatusLog'>;

const messageOf = ({ data }: Log): string | undefined =>
  typeof data['message'] === 'string' ? data['message'] : undefined;

/** What the messages of a session are called. */
const called: Record<string, string> = {
  'chat_intro.replied': 'The reply',
  'chat_intro.notified': 'The notification',
  'chat_intro.aparty_notified': 'The template',
};

/** The log of a session as a story: each step with its cause and its message, and what became of the messages. */
export function SessionStory({ logs, loading }: { logs: Log[]; loading: boolean }) {
  const uuids = [...new Set(logs.flatMap((log) => messageOf(log) ?? []))];
  const messages = useQueries({ queries: uuids.map((uuid) => oneOf('/v2/chatapp/messages/{uuid}/', { uuid })) });
  const sent = logs.filter((log) => called[log.event] && messageOf(log));
  const receipts = useQueries({
    queries: sent.map((log) => oneOf('/v2/chatapp/messages/{uuid}/status-logs/', { uuid: messageOf(log) ?? '' })),
  });
  const client = useQueryClient();
  useLive(['message.'], ({ subject }) => {
    if (uuids.includes(subject)) void invalidate(client, ['/v2/chatapp/messages/{uuid}/']);
  });
  const steps = logs.map((log): Step => {
    const { text, icon, color, cause } = sayLog(log);
    const message = messages.find(({ data }) => data && data.uuid === messageOf(log))?.data;
    return {
      id: log.uuid,
      at: log.created,
      icon,
      ...(color && { color }),
      text,
      cause: (
        <Stack gap="xs">
          {cause && <span>{cause}</span>}
          {message && <MessageBubble message={message} />}
          <Answers answers={log.data['answers']} />
        </Stack>
      ),
    };
  });
  const arrived = sent.flatMap((log, index) =>
    (receipts[index]?.data?.results ?? []).flatMap((receipt) => receiptStep(called[log.event] ?? '', receipt)),
  );
  const all = [...steps, ...arrived].toSorted((one, other) => one.at.localeCompare(other.at));
  return <Story steps={all} loading={loading} />;
}

/** What a receipt says; nothing for those that only repeat, and for what happens to every message. */
function receiptStep(subject: string, { uuid, status, status_description, applied, created }: StatusLog): Step[] {
  if (!applied) return [];
  const step = { id: uuid, at: created };
  if (status === 'DELIVERED') return [{ ...step, text: `${subject} arrived.`, icon: IconCheck, color: 'gray' }];
  if (status === 'READ') return [{ ...step, text: `${subject} was read.`, icon: IconChecks, color: 'gray' }];
  if (status === 'FAILED')
    return [{ ...step, text: `${subject} failed.`, icon: IconCircleX, color: 'red', cause: status_description }];
  return [];
}

function Answers({ answers }: { answers: unknown }) {
  if (typeof answers !== 'object' || answers === null) return null;
  return (
    <dl style={{ margin: 0 }}>
      {Object.entries(answers).map(([name, value]) => (
        <Text key={name} component="div" size="sm">
          <dt style={{ display: 'inline', fontWeight: 600 }}>{name}: </dt>
          <dd style={{ display: 'inline', margin: 0 }}>{String(value)}</dd>
        </Text>
      ))}
    </dl>
  );
}
