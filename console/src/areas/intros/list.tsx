import { Badge, SimpleGrid } from '@mantine/core';
import { IconArrowsSplit2, IconLink, IconUserCheck, IconUsers } from '@tabler/icons-react';
import { type Row, useList, useOne } from '../../api/index.ts';
import {
  type Column,
  Listing,
  NewLink,
  Page,
  Stat,
  Time,
  TwoLines,
  useFilters,
  usePhoneFormat,
} from '../../parts/index.ts';
import { sayShare } from '../../parts/intros/funnel.ts';
import { nameOf } from '../../parts/intros/name.ts';
import { replyTypes } from './editor/reply-types.ts';
import { conversionOf, FunnelCell } from './funnel-cell.tsx';
import { useLiveFunnels } from './use-live-funnels.ts';

type Item = Row<'/v2/chatapp/chat-intros/'>;

function Name({ intro }: { intro: Item }) {
  const say = usePhoneFormat();
  const more = [say(intro.chatapp_number), intro.reference_id].filter(Boolean).join(' · ');
  return <TwoLines first={nameOf(intro)} second={more} />;
}

const figures = { align: 'right', width: '4.7rem' } as const;
const columns: Column<Item>[] = [
  { title: 'Intro', important: true, width: 'minmax(13rem, 3fr)', render: (intro) => <Name intro={intro} /> },
  {
    title: 'Reply',
    width: '9.6rem',
    render: ({ reply_type }) => (
      <Badge variant="light" color="gray" tt="none" fw={500}>
        {replyTypes.find(({ value }) => value === reply_type)?.label}
      </Badge>
    ),
  },
  { title: 'Clicks', ...figures, render: ({ uuid }) => <FunnelCell uuid={uuid} of={({ clicks }) => clicks} /> },
  {
    title: 'Started',
    ...figures,
    important: true,
    render: ({ uuid }) => <FunnelCell uuid={uuid} of={({ matched }) => matched} />,
  },
  { title: 'Replied', ...figures, render: ({ uuid }) => <FunnelCell uuid={uuid} of={({ replied }) => replied} /> },
  { title: 'Notified', ...figures, render: ({ uuid }) => <FunnelCell uuid={uuid} of={({ notified }) => notified} /> },
  {
    title: 'Connected',
    ...figures,
    width: '5.6rem',
    important: true,
    render: ({ uuid }) => <FunnelCell uuid={uuid} of={({ bparty_contacted }) => bparty_contacted} />,
  },
  {
    title: 'Conversion',
    ...figures,
    width: '6.2rem',
    render: ({ uuid }) => <FunnelCell uuid={uuid} of={conversionOf} />,
  },
  { title: 'Created', width: '6rem', sort: 'created', render: ({ created }) => <Time at={created} /> },
];

const create = <NewLink href="/intros/new">New intro</NewLink>;

function useNumbers(enabled: boolean) {
  const accounts = useList('/v2/chatapp/accounts/', undefined, { pageSize: 200, enabled });
  const say = usePhoneFormat();
  const numbers = new Set(accounts.rows.map(({ chatapp_number }) => chatapp_number));
  return [...numbers].map((value) => ({ value, label: say(value) }));
}

/** All intros, with how far people came with each. */
export function ListOfIntros() {
  const filters = useFilters([
    { kind: 'search', name: 'search', label: 'Reference or number' },
    { kind: 'late-select', name: 'chatapp_number', label: 'Number', useOptions: useNumbers },
    { kind: 'dates' },
  ]);
  const list = useList('/v2/chatapp/chat-intros/', filters.query);
  useLiveFunnels();
  return (
    <Page
      title="Intros"
      description="Links that start a chat, reply automatically and connect a lead with an agent."
      actions={create}
    >
      {(filters.active || list.isLoading || list.rows.length > 0) && <Totals />}
      <Listing
        one="intro"
        label="Intros"
        list={list}
        columns={columns}
        filters={filters}
        rowHeight={58}
        href={({ uuid }) => `/intros/${uuid}`}
        icon={IconArrowsSplit2}
        hint="An intro is a link. A lead who opens it and sends the text gets your reply, and your agent gets a link to the lead."
        action={create}
      />
    </Page>
  );
}

/** Of all intros together, deleted ones too. */
function Totals() {
  const { data } = useOne('/v2/chatapp/chat-intros/funnel/');
  const rate =
    data && data.matched > 0
      ? `${sayShare(data.bparty_contacted / data.matched)} of those who started`
      : 'of all intros';
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} mb="md">
      <Stat label="Opened a link" value={data?.unique_clicks} icon={IconLink} hint={data && `${data.clicks} times`} />
      <Stat label="Started" value={data?.matched} icon={IconUsers} hint="of all intros" />
      <Stat label="Agents notified" value={data?.notified} icon={IconArrowsSplit2} hint="of all intros" />
      <Stat label="Connected" value={data?.bparty_contacted} icon={IconUserCheck} hint={rate} />
    </SimpleGrid>
  );
}
