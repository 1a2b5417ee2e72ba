import { IconWebhook } from '@tabler/icons-react';
import { useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { type Column, LinkTabs, Listing, NewLink, Page, Time, TwoLines } from '../../parts/index.ts';
import { useMaySee } from '../../parts/may.tsx';
import { doors, hrefOf, type Kind, titleOf, type Webhook } from '../../parts/webhooks/kinds.ts';
import { RecentDeliveries } from './recent.tsx';
import { WebhookState } from './state.tsx';

const columns: Column<Webhook>[] = [
  {
    title: 'Webhook',
    important: true,
    width: 'minmax(14rem, 2fr)',
    render: (row) => <TwoLines first={titleOf(row)} second={row.url} />,
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

/** The two lists, each with an address of its own. */
const places: Record<Kind, string> = { chat: '/webhooks', number: '/webhooks/numbers' };
const tabs = [
  { href: places.chat, title: 'Chat app and account' },
  { href: places.number, title: 'Numbers' },
];

const hints: Record<Kind, string> = {
  chat: 'Add a URL, and Parley sends it events about messages, intros, leads, campaigns and jobs.',
  number: 'Add a URL, then select it in the settings of a number to receive events about its calls and SMS.',
};

/** All webhooks of one kind; the other kind is a tab away. */
export function ListOfWebhooks({ kind }: { kind: Kind }) {
  const list = useList(doors[kind].list);
  const maySee = useMaySee();
  const mine = tabs.filter(({ href }) => maySee(href === places.chat ? '/webhooks/chat' : href));
  useLiveRefresh(['webhook.'], [doors[kind].list]);
  const create = <NewLink href={`/webhooks/new/${kind}`}>New webhook</NewLink>;
  return (
    <Page
      title="Webhooks"
      description="Your endpoints for events. Every event is signed and retried until your endpoint accepts it."
      actions={create}
    >
      <LinkTabs label="Kinds of webhooks" tabs={mine} here={places[kind]} />
      <Listing
        one="webhook"
        label={kind === 'chat' ? 'Chat-app webhooks' : 'Number webhooks'}
        list={list}
        columns={columns}
        rowHeight={60}
        href={hrefOf}
        icon={IconWebhook}
        hint={hints[kind]}
        action={create}
      />
    </Page>
  );
}
