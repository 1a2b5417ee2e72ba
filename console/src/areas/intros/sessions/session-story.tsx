import { Anchor, Group, Stack } from '@mantine/core';
import { IconCheck, IconChecks, IconCircleX } from '@tabler/icons-react';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { invalidate, oneOf, type Schema, textOf, useOne } from '../../../api/index.ts';
import { useLive, useLiveRefresh } from '../../../live/index.ts';
import { Pairs } from '../../../parts/facts/pairs.tsx';
import { Status, type Step, Story } from '../../../parts/index.ts';
import { type Log, sayLog } from '../../../parts/intros/log-story.ts';
import { MessageBubble } from '../../../parts/messages/message-bubble.tsx';

type StatusLog = Schema<'MessageStatusLog'>;

const messageOf = ({ data }: Log): string | undefined => textOf(data['message']) || undefined;

/** What the messages of a session are called. */
const called: Record<string, string> = {
  'chat_intro.replied': 'The reply',
  'chat_intro.notified': 'The notification',
  'chat_intro.aparty_notified': 'The template',
};

const subjectOf = ({ event, data }: Log): string =>
  data['reason'] === 'REMINDER' ? 'The reminder' : (called[event] ?? '');

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
    // One message may have been several things: a reaction, and a tapped button.
    const isFirst = logs.find((one) => messageOf(one) === messageOf(log)) === log;
    const [sms, agent] = [textOf(log.data['sms']), textOf(log.data['agent'])];
    return {
      id: log.uuid,
      at: log.created,
      icon,
      ...(color && { color }),
      text,
      cause: (
        <Stack gap="xs">
          {cause && <span>{cause}</span>}
          {agent && <Agent uuid={agent} />}
          {message && isFirst && <MessageBubble message={message} />}
          {sms && <Sms uuid={sms} />}
          <Pairs of={log.data['answers']} />
        </Stack>
      ),
    };
  });
  // The log tells itself of notifications that failed, and what followed.
  const isTold = logs.some(({ event }) => event === 'chat_intro.notify_failed');
  const arrived = sent.flatMap((log, index) =>
    (receipts[index]?.data?.results ?? [])
      .filter(({ status }) => status !== 'FAILED' || !isTold || log.event !== 'chat_intro.notified')
      .flatMap((receipt) => receiptStep(subjectOf(log), receipt)),
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

/** The agent whom the chain chose. */
function Agent({ uuid }: { uuid: string }) {
  const { data, error } = useOne('/v2/agent-configs/{uuid}/', { uuid });
  if (error) return <span>The agent is gone.</span>;
  return (
    <Anchor component={Link} href={`/agents/${uuid}`} size="sm">
      {data?.name ?? 'The agent'}
    </Anchor>
  );
}

/** An SMS of the session: its words, and how far it came. */
function Sms({ uuid }: { uuid: string }) {
  const { data } = useOne('/v2/send-sms/{uuid}/', { uuid });
  useLiveRefresh(['sms.'], ['/v2/send-sms/{uuid}/']);
  return (
    <div>
      {data && <div style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{data.text}</div>}
      <Group gap="xs" mt={4}>
        <Anchor component={Link} href={`/sms/${uuid}`} size="sm">
          Open the SMS
        </Anchor>
        <Status word={data?.status} />
      </Group>
    </div>
  );
}
