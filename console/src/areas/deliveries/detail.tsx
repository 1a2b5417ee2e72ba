import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { Link } from 'wouter';
import { type Schema, useOne } from '../../api/index.ts';
import { Facts, Id, Json, Loaded, May, Page, Section, Time } from '../../parts/index.ts';
import { DeliveryStatus } from '../../parts/webhooks/delivery-status.tsx';
import { hrefOf, titleOf } from '../../parts/webhooks/kinds.ts';
import { useWebhooks } from '../../parts/webhooks/use-webhooks.ts';
import { Attempts } from './attempts.tsx';
import { RequestSection } from './request.tsx';
import { subjectOf } from './subject.ts';
import { useRedeliver } from './use-redeliver.ts';

type Delivery = Schema<'WebhookDeliveryDetail'>;

/** One delivery: what was sent, every answer, and what comes next. */
export function DeliveryDetail({ uuid }: { uuid: string }) {
  const query = useOne('/v2/webhook-deliveries/{uuid}/', { uuid }, undefined, { refetchInterval: 3000 });
  const { redeliver, progress } = useRedeliver();
  return (
    <Loaded query={query} what="delivery">
      {(delivery) => (
        <Page
          title={delivery.type}
          aside={<DeliveryStatus delivery={delivery} />}
          trail={[{ title: 'Deliveries', href: '/deliveries' }]}
          actions={
            <May>
              <Button
                leftSection={<IconRefresh size={16} />}
                loading={progress !== null}
                disabled={delivery.url === null}
                onClick={() => void redeliver([uuid])}
              >
                Redeliver
              </Button>
            </May>
          }
        >
          <Stack>
            <About delivery={delivery} />
            <Section
              title="Attempts"
              description="Failed deliveries are retried with increasing delays, starting at 5 seconds, up to 11 attempts."
            >
              <Attempts attempts={delivery.attempts} />
            </Section>
            <RequestSection delivery={delivery} />
            <Json value={delivery} title="JSON" />
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}

function About({ delivery }: { delivery: Delivery }) {
  const subject = subjectOf(delivery.type, (delivery.payload['data'] ?? {}) as Record<string, unknown>);
  return (
    <Section title="Details">
      <Facts
        rows={[
          ['URL', <Destination key="to" delivery={delivery} />],
          subject && [
            'Subject',
            <Anchor key="subject" component={Link} href={subject.href} size="sm">
              {subject.label}
            </Anchor>,
          ],
          ['Next attempt', delivery.next_attempt ? <Time key="next" at={delivery.next_attempt} exact /> : 'None'],
          ['Last error', delivery.last_error],
          ['Event id', <Id key="event" id={delivery.event} what="the id of the event" />],
          ['Created', <Time key="created" at={delivery.created} exact />],
        ]}
      />
    </Section>
  );
}

function Destination({ delivery }: { delivery: Delivery }) {
  const { byUuid, isLoading } = useWebhooks();
  const webhook = byUuid.get(delivery.webhook);
  if (webhook)
    return (
      <>
        <Anchor component={Link} href={hrefOf(webhook)} size="sm">
          {titleOf(webhook)}
        </Anchor>
        <Text size="sm" c="dimmed">
          {webhook.url}
        </Text>
      </>
    );
  if (delivery.url === null) return 'The webhook was deleted; this cannot be redelivered.';
  return (
    <>
      {delivery.url}
      {!isLoading && (
        <Text size="sm" c="dimmed">
          A callback URL set by the message or job.
        </Text>
      )}
    </>
  );
}
