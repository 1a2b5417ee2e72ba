import { Avatar, Text } from '@mantine/core';
import { IconClock, IconClockOff } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Time, usePhoneFormat } from '../../parts/index.ts';
import { conversationPath } from '../../parts/messages/links.ts';
import { summaryOf } from '../../parts/messages/summary.ts';
import { useSenders } from '../../parts/messages/use-senders.ts';
import classes from './inbox.module.css';
import type { Conversation } from './types.ts';

/** One person in the list: who, what was said last, and whether the window is open. */
export function ConversationRow({
  conversation,
  here,
  query,
}: {
  conversation: Conversation;
  here: boolean;
  query: string;
}) {
  const say = usePhoneFormat();
  const { nameOf, senders } = useSenders();
  const { chatapp_number, number, name, is_open, last_message } = conversation;
  const Clock = is_open ? IconClock : IconClockOff;
  const said = last_message
    ? `${last_message.direction === 'OUTBOUND' ? 'You: ' : ''}${summaryOf(last_message)}`
    : 'Nothing is kept of it.';
  return (
    <Link
      href={`${conversationPath(chatapp_number, number)}${query}`}
      className={classes['row'] ?? ''}
      aria-current={here ? 'page' : undefined}
    >
      <Avatar
        name={name || undefined}
        color="initials"
        allowedInitialsColors={['brand', 'blue', 'gray']}
        size={38}
        aria-hidden
      />
      <span className={classes['words']}>
        <span className={classes['line']}>
          <Text component="span" size="sm" fw={600} truncate>
            {name || say(number)}
          </Text>
          <Text component="span" size="xs" c="dimmed" className={classes['aside']}>
            <Time at={last_message?.created ?? conversation.last_inbound} />
          </Text>
        </span>
        <Text component="span" size="sm" c="dimmed" truncate>
          {said}
        </Text>
        <span className={classes['line']}>
          <Text component="span" size="xs" c="dimmed" truncate>
            {senders.length > 1 ? nameOf(chatapp_number) : say(number)}
          </Text>
          <span className={classes['aside']} title={is_open ? 'Anything may be sent' : 'Templates only'}>
            <Clock size={14} role="img" aria-label={is_open ? 'Window open' : 'Window closed'} />
          </span>
        </span>
      </span>
    </Link>
  );
}
