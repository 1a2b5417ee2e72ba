import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Section } from '../../parts/index.ts';
import type { Message } from './types.ts';

/** The API keeps deliveries by their time and type: it cannot be asked for those of one message. */
export function MessageDeliveries({ message }: { message: Message }) {
  const type = message.direction === 'INBOUND' ? 'chatapp.message.received' : 'chatapp.message.status';
  const from = message.created.slice(0, 10);
  const to = message.modified.slice(0, 10);
  return (
    <Section title="Webhooks">
      <Text size="sm" c="dimmed">
        Each step is told to the webhooks that listen to <code>{type}</code>.{' '}
        <Anchor component={Link} href={`/deliveries?type=${type}&from=${from}&to=${to}`} size="sm" underline="always">
          Deliveries of that time
        </Anchor>
      </Text>
    </Section>
  );
}
