import { Badge, Code, Group, Text } from '@mantine/core';
import { Copy, Section, Time } from '../../parts/index.ts';
import { Fact, Facts } from './fact.tsx';
import type { Webhook } from './kinds.ts';

/** What an endpoint is. */
export const WebhookFacts = ({ webhook }: { webhook: Webhook }) => (
  <Section title="About it">
    <Facts>
      <Fact label="Address">
        <Group gap={4} wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{webhook.url}</Code>
          <Copy value={webhook.url} what="the address" />
        </Group>
      </Fact>
      {'name' in webhook && (
        <Fact label="Name">
          <Text size="sm">
            {webhook.name}{' '}
            <Text span c="dimmed" size="sm">
              (numbers choose it by this name)
            </Text>
          </Text>
        </Fact>
      )}
      {webhook.description && <Fact label="Description">{webhook.description}</Fact>}
      <Fact label="Events">
        {webhook.events.includes('*') ? (
          'All'
        ) : (
          <Group gap={6}>
            {webhook.events.map((name) => (
              <Badge key={name} variant="light" color="gray" tt="none" fw={500}>
                {name}
              </Badge>
            ))}
          </Group>
        )}
      </Fact>
      <Fact label="Created">
        <Time at={webhook.created} />
      </Fact>
      <Fact label="Changed">
        <Time at={webhook.modified} />
      </Fact>
    </Facts>
  </Section>
);
