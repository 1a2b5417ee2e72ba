import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Section } from '../../parts/index.ts';
import type { Message } from '../../parts/messages/types.ts';

/** Who was told of the message. */
export function MessageDeliveries({ message }: { message: Message }) {
  const type = message.direction === 'INBOUND' ? 'chatapp.message.received' : 'chatapp.message.status';
  return (
    <Section title="Webhooks">
      <Text size="sm" c="dimmed">
        Each status change is sent to the webhooks subscribed to <code>{type}</code>.{' '}
        <Anchor component={Link} href={`/deliveries?subject=${message.uuid}`} size="sm" underline="always">
          Deliveries
        </Anchor>
      </Text>
    </Section>
  );
}
