import { Button, Text } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { type Column, DataTable, EmptyState, Page, Time } from '../../parts/index.ts';
import { doors, hrefOf, type Kind, titleOf, type Webhook } from './kinds.ts';
import { RecentDeliveries } from './recent.tsx';
import { WebhookState } from './state.tsx';
import { KindTabs } from './tabs.tsx';

const columns: Column<Webhook>[] = [
  {
    title: 'Webhook',
    important: true,
    width: 'minmax(14rem, 2fr)',
    render: (row) => (
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={600} truncate>
          {titleOf(row)}
        </Text>
        <Text size="xs" c="dimmed" truncate title={row.url}>
          {row.url}
        </Text>
      </div>
    ),
  },
  {
    title: 'Events',
    width: 'minmax(8rem, 1fr)',
    render: (row) => (
      <span title={row.events.join(', ')}>{row.events.includes('*') ? 'All' : `${row.events.length} chosen`}</span>
    ),
  },
  { title: 'State', important: true, width: '11rem', render: (row) => <WebhookState webhook={row} /> },
  { title: 'Last deliveries', width: '13rem', render: (row) => <RecentDeliveries uuid={row.uuid} /> },
  { title: 'Created', width: '8rem', render: (row) => <Time at={row.created} /> },
];

const hints: Record<Kind, string> = {
  chat: 'Name an address of yours, and Parley POSTs to it what happens with messages, intros, leads, campaigns and jobs.',
  number:
    'Name an address of yours, then choose it in the settings of a number. It hears of calls and SMS of that number.',
};

/** All webhooks of one kind; the other kind is a tab away. */
export function ListOfWebhooks({ kind }: { kind: Kind }) {
  const [, navigate] = useLocation();
  const list = useList(doors[kind].list);
  useLiveRefresh(['webhook.'], [doors[kind].list]);
  const create = (
    <Button component={Link} href={`/webhooks/new/${kind}`} leftSection={<IconPlus size={16} />}>
      New webhook
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      description="Addresses of yours that are told what happens, each event signed and tried again until it is taken."
      actions={create}
    >
      <KindTabs kind={kind} />
      <DataTable
        label={kind === 'chat' ? 'Chat-app webhooks' : 'Number webhooks'}
        list={list}
        columns={columns}
        rowHeight={60}
        onOpen={(row) => navigate(hrefOf(row))}
        empty={<EmptyState icon={IconWebhook} title="No webhooks yet." hint={hints[kind]} action={create} />}
      />
    </Page>
  );
}
