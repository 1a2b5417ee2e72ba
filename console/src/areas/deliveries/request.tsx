import { Code, Stack, Text } from '@mantine/core';
import type { Schema } from '../../api/index.ts';
import { Json, Section } from '../../parts/index.ts';

/** The headers that are the same for everybody, and those that the delivery tells. The signature is not kept. */
function headersOf({ event, attempts }: Schema<'WebhookDeliveryDetail'>): string {
  const last = attempts.at(-1);
  const sent = last ? String(Math.floor(Date.parse(last.at) / 1000)) : '(the moment of the attempt)';
  return [
    'content-type: application/json',
    `webhook-id: ${event}`,
    `webhook-timestamp: ${sent}`,
    'webhook-signature: (made anew for each attempt, and not kept)',
  ].join('\n');
}

/** What was sent. */
export const RequestSection = ({ delivery }: { delivery: Schema<'WebhookDeliveryDetail'> }) => (
  <Section title="Request" description="Every attempt sends the same body, with its own timestamp and signature.">
    <Stack gap="sm">
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        POST {delivery.url ?? '(the address is gone with its webhook)'}
      </Text>
      <div>
        <Text size="sm" c="dimmed" mb={4}>
          Headers of the last attempt
        </Text>
        <Code block tabIndex={0} style={{ overflow: 'auto' }}>
          {headersOf(delivery)}
        </Code>
      </div>
      <Json value={delivery.payload} title="Body" open />
    </Stack>
  </Section>
);
