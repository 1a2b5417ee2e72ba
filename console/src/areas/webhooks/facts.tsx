import { Badge, Group } from '@mantine/core';
import { Facts, Id, Section, Time } from '../../parts/index.ts';
import type { Webhook } from '../../parts/webhooks/kinds.ts';

/** What an endpoint is. */
export const WebhookFacts = ({ webhook }: { webhook: Webhook }) => (
  <Section title="Details">
    <Facts
      rows={[
        ['URL', <Id key="url" id={webhook.url} what="the address" />],
        'name' in webhook && ['Name', `${webhook.name} (used by numbers)`],
        ['Description', webhook.description],
        [
          'Events',
          webhook.events.includes('*') ? (
            'All'
          ) : (
            <Group key="events" gap={6}>
              {webhook.events.map((name) => (
                <Badge key={name} variant="light" color="gray" tt="none" fw={500}>
                  {name}
                </Badge>
              ))}
            </Group>
          ),
        ],
        ['Created', <Time key="created" at={webhook.created} />],
        ['Changed', <Time key="modified" at={webhook.modified} />],
      ]}
    />
  </Section>
);
