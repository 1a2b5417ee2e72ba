import { IconSend } from '@tabler/icons-react';
import { type Row, useList, useOne } from '../../api/index.ts';
import { type Column, Listing, Page, Time, TwoLines, useFilters, useMayChange } from '../../parts/index.ts';
import { useRefreshEvery } from '../../parts/live/use-refresh-every.ts';
import { useSelection } from '../../parts/selection/selection.tsx';
import { DeliveryStatus, sayAnswer } from '../../parts/webhooks/delivery-status.tsx';
import { titleOf } from '../../parts/webhooks/kinds.ts';
import { useWebhooks } from '../../parts/webhooks/use-webhooks.ts';
import { RedeliverBar } from './redeliver-bar.tsx';

type Item = Row<'/v2/webhook-deliveries/'>;

const columns: Column<Item>[] = [
  {
    title: 'Event',
    important: true,
    width: 'minmax(12rem, 2fr)',
    render: (row) => <TwoLines first={row.type} second={row.url ?? 'The webhook was deleted'} />,
    csv: (row) => row.type,
  },
  {
    title: 'Status',
    important: true,
    width: '10rem',
    render: (row) => <DeliveryStatus delivery={row} />,
    csv: (row) => row.status,
  },
  {
    title: 'Response',
    width: '7rem',
    render: (row) => <span title={row.last_error}>{sayAnswer(row)}</span>,
    csv: (row) => row.last_status_code,
  },
  {
    title: 'Attempts',
    width: '6rem',
    align: 'right',
    render: (row) => row.attempt_count,
    csv: (row) => row.attempt_count,
  },
  {
    title: 'Next attempt',
    width: '7rem',
    render: (row) => <Time at={row.next_attempt} />,
    csv: (row) => row.next_attempt,
  },
  {
    title: 'Created',
    width: '7rem',
    sort: 'created',
    render: (row) => <Time at={row.created} />,
    csv: (row) => row.created,
  },
];

const statuses = [
  { value: 'PENDING', label: 'Pending' },
  { value: 'SUCCEEDED', label: 'Succeeded' },
  { value: 'FAILED', label: 'Failed' },
  { value: 'CANCELLED', label: 'Cancelled' },
];

const useWebhookOptions = (isWanted: boolean) =>
  [...useWebhooks(isWanted).byUuid.values()].map((webhook) => ({ value: webhook.uuid, label: titleOf(webhook) }));

const useTypes = (enabled: boolean): string[] =>
  useOne('/v2/webhook-types/', {}, {}, { enabled }).data?.results.map(({ name }) => name) ?? [];

/** What the webhooks were told, and what they answered. */
export function ListOfDeliveries() {
  const filters = useFilters([
    { kind: 'late-select', name: 'webhook', label: 'Webhook', useOptions: useWebhookOptions },
    { kind: 'late-select', name: 'type', label: 'Event', useOptions: useTypes },
    { kind: 'select', name: 'status', label: 'Status', options: statuses },
    {
      kind: 'select',
      name: 'retrying',
      label: 'Retrying',
      options: [{ value: 'true', label: 'Retrying' }],
    },
    { kind: 'dates' },
    { kind: 'other', name: 'subject' },
  ]);
  const list = useList('/v2/webhook-deliveries/', filters.query);
  const may = useMayChange();
  useRefreshEvery(['/v2/webhook-deliveries/'], 5);
  const selection = useSelection(list);
  return (
    <Page title="Deliveries" description="Events sent to your webhooks and callbacks, with the responses.">
      <Listing
        one="delivery"
        label="Deliveries"
        list={list}
        columns={columns}
        {...(may && { selection })}
        rowName={(row) => `${row.type} ${row.uuid}`}
        filters={filters}
        rowHeight={60}
        href={(row) => `/deliveries/${row.uuid}`}
        icon={IconSend}
        none="No deliveries yet."
        hint="Deliveries appear when an event matches a webhook, or when you send a test."
      >
        {list.rows.length > 0 && may && (
          <RedeliverBar chosen={selection.chosen} shown={list.rows.map(({ uuid }) => uuid)} choose={selection.choose} />
        )}
      </Listing>
    </Page>
  );
}
