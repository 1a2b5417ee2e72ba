import { Button, Group, Text } from '@mantine/core';
import classes from '../chat/message-list.module.css';
import type { Outbox, Pending } from '../use-outbox.ts';
import { Bubble } from './bubble.tsx';

/** What was written and is not at the server yet, or could not be sent. */
export function PendingBubble({
  pending,
  outbox,
  timeZone,
  from,
}: {
  pending: Pending;
  outbox: Outbox;
  timeZone: string;
  from: string;
}) {
  const { message, problem, key, uuid } = pending;
  const progress = problem ? 'failed' : uuid ? 'sent' : 'sending';
  return (
    <div>
      <Bubble message={message} tail from={from} timeZone={timeZone} progress={progress} />
      {problem && (
        <div className={classes['problem']} role="alert">
          <Text size="xs">Not sent. {problem}</Text>
          <Group gap="xs" justify="flex-end">
            <Button size="compact-xs" variant="default" onClick={() => outbox.drop(key)}>
              Discard
            </Button>
            <Button size="compact-xs" onClick={() => outbox.retry(pending)}>
              Try again
            </Button>
          </Group>
        </div>
      )}
    </div>
  );
}
