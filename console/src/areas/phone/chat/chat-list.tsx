import { ActionIcon, Badge, Button, Text, VisuallyHidden } from '@mantine/core';
import { IconMessagePlus } from '@tabler/icons-react';
import { useHere } from '../../../parts/account.tsx';
import { EmptyState, Problem } from '../../../parts/index.ts';
import { Picture } from '../bubble/picture.tsx';
import { Ticks } from '../bubble/ticks.tsx';
import classes from '../frame/screen.module.css';
import { ScreenHead } from '../frame/screen-head.tsx';
import { sayShort } from '../moments.ts';
import { usePhoneHere } from '../phone-context.ts';
import { summaryOf, type Thread } from '../threads.ts';

/** The conversations of a phone: chats, or SMS. */
export function ThreadList({ kind }: { kind: Thread['kind'] }) {
  const { threads, go, content } = usePhoneHere();
  const shown = threads.filter((thread) => thread.kind === kind);
  const { isLoading, error, hasMore, isLoadingMore, loadMore, retry } = content.list;
  const isChat = kind === 'chat';
  const begin = () => go({ app: isChat ? 'new-chat' : 'new-sms' });
  return (
    <div className={classes['screen']}>
      <ScreenHead title={isChat ? 'Chats' : 'SMS'}>
        <ActionIcon variant="light" size={36} radius="xl" aria-label={isChat ? 'New chat' : 'New SMS'} onClick={begin}>
          <IconMessagePlus size={20} />
        </ActionIcon>
      </ScreenHead>
      <div className={classes['scroll']}>
        {error && <Problem error={error} retry={retry} />}
        {shown.length === 0 && !isLoading && !error && (
          <EmptyState
            title={isChat ? 'No chats yet.' : 'No SMS yet.'}
            hint={
              isChat
                ? 'Follow the link of an intro, or write to one of the senders.'
                : 'What is sent to this number appears here.'
            }
            action={
              <Button variant="light" onClick={begin}>
                {isChat ? 'Start a chat' : 'Write an SMS'}
              </Button>
            }
          />
        )}
        <ul className={classes['list']}>
          {shown.map((thread) => (
            <li key={thread.key}>
              <ThreadRow
                thread={thread}
                onOpen={() => go({ app: isChat ? 'chat' : 'sms-thread', number: thread.number })}
              />
            </li>
          ))}
        </ul>
        {hasMore && (
          <Button variant="subtle" fullWidth loading={isLoadingMore} onClick={loadMore}>
            Look further back
          </Button>
        )}
      </div>
    </div>
  );
}

function ThreadRow({ thread, onOpen }: { thread: Thread; onOpen(): void }) {
  const { timeZone } = useHere();
  const { nameOf } = usePhoneHere();
  const { last, unread, number } = thread;
  const name = nameOf(number);
  const mine = last.direction === 'INBOUND';
  return (
    <button type="button" className={classes['thread']} onClick={onOpen}>
      <Picture name={name} size={46} />
      <span className={classes['words']}>
        <Text component="span" fw={unread > 0 ? 700 : 600} truncate>
          {name}
        </Text>
        <Text
          component="span"
          size="sm"
          c={unread > 0 ? undefined : 'dimmed'}
          truncate
          display="flex"
          style={{ alignItems: 'center', gap: 4 }}
        >
          {mine && last.type !== 'SMS' && <Ticks progress={last.status === 'READ' ? 'read' : 'delivered'} />}
          <Text component="span" inherit truncate>
            {summaryOf(last)}
          </Text>
        </Text>
      </span>
      <span className={classes['side']}>
        <Text component="span" size="xs" c="dimmed">
          {sayShort(last.created, timeZone)}
        </Text>
        {unread > 0 && (
          <Badge size="md" circle={unread < 10} component="span">
            {unread > 99 ? '99+' : unread}
            <VisuallyHidden> unread</VisuallyHidden>
          </Badge>
        )}
      </span>
    </button>
  );
}
