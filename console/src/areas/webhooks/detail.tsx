import { Anchor, Stack } from '@mantine/core';
import { Link } from 'wouter';
import { type Row, useList, useOne } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { type Column, DataTable, EmptyState, Loaded, Page, Section, Time } from '../../parts/index.ts';
import { useRefreshEvery } from '../../parts/live/use-refresh-every.ts';
import { DeliveryStatus } from '../../parts/webhooks/delivery-status.tsx';
import { doors, type Kind, titleOf, type Webhook } from '../../parts/webhooks/kinds.ts';
import { VerifySnippet } from '../../parts/webhooks/snippet.tsx';
import { WebhookActions } from './actions.tsx';
import { WebhookFacts } from './facts.tsx';
import { WebhookState } from './state.tsx';
import { WebhookTrouble } from './trouble.tsx';

const columns: Column<Row<'/v2/webhook-deliveries/'>>[] = [
  { title: 'Event', important: true, width: 'minmax(11rem, 2fr)', render: (row) => row.type },
  { title: 'Status', important: true, width: '9rem', render: (row) => <DeliveryStatus delivery={row} /> },
  {
    title: 'Response',
    width: 'minmax(8rem, 2fr)',
    render: (row) => row.last_error || (row.last_status_code ?? '–'),
  },
  { title: 'Attempts', width: '6rem', align: 'right', render: (row) => row.attempt_count },
  { title: 'Created', width: '7rem', render: (row) => <Time at={row.created} /> },
];

/** One endpoint: what it is told, how it does, and what one can do with it. */
export function WebhookDetail({ kind, id }: { kind: Kind; id: string }) {
  const door = doors[kind];
  const query = useOne(door.one, door.params(id));
  useLiveRefresh(['webhook.'], [door.list]);
  return (
    <Loaded query={query} what="webhook">
      {(webhook: Webhook) => (
        <Page
          title={titleOf(webhook)}
          aside={<WebhookState webhook={webhook} />}
          trail={[{ title: 'Webhooks', href: door.home }]}
          actions={<WebhookActions kind={kind} webhook={webhook} />}
        >
          <Stack>
            <WebhookTrouble kind={kind} webhook={webhook} />
            <WebhookFacts webhook={webhook} />
            <Deliveries uuid={webhook.uuid} />
            <Section
              title="Check the signature"
              description="Events are signed according to Standard Webhooks 1.0, in the headers webhook-id, webhook-timestamp and webhook-signature. The secret was shown when the webhook was created; if you lost it, rotate it."
            >
              <VerifySnippet />
            </Section>
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}

function Deliveries({ uuid }: { uuid: string }) {
  const list = useList('/v2/webhook-deliveries/', { webhook: uuid }, { pageSize: 25 });
  useRefreshEvery(['/v2/webhook-deliveries/'], 5);
  return (
    <Section
      title="Last deliveries"
      actions={
        <Anchor component={Link} href={`/deliveries?webhook=${uuid}`} size="sm">
          All deliveries
        </Anchor>
      }
    >
      <DataTable
        label="Last deliveries"
        list={list}
        columns={columns}
        maxHeight="22rem"
        href={(row) => `/deliveries/${row.uuid}`}
        empty={<EmptyState title="No deliveries yet." hint="Send a test to check your endpoint." />}
      />
    </Section>
  );
}
