import { Text } from '@mantine/core';
import { IconSpeakerphone } from '@tabler/icons-react';
import { createContext, useContext, useMemo } from 'react';
import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { usePolling } from '../../parts/campaigns/use-polling.ts';
import { type Column, Listing, NewLink, Page, Status, Time, useFilters } from '../../parts/index.ts';
import { locale } from '../../parts/locale.ts';
import { OutcomeBar } from './launch/outcome-bar.tsx';
import { isLive, type Log, throughOf } from './wizard/shares.ts';

type Item = Row<'/v2/campaigns/'>;

/** The newest launches by their ids: cells look their own up, so a row needs no request. */
const Launches = createContext<ReadonlyMap<string, Log>>(new Map());
const figure = new Intl.NumberFormat(locale);

/** What the figures do not tell by themselves; on a phone there is no column for it. */
const words: Partial<Record<Log['status'], string>> = { PAUSED: 'Paused: ', CANCELLED: 'Cancelled: ' };

function ProgressCell({ row }: { row: Item }) {
  const log = useContext(Launches).get(row.campaign_log ?? '');
  if (!row.campaign_log) return <Text size="sm">Not launched yet</Text>;
  if (!log) return null;
  if (log.audience === null)
    return (
      <Text size="sm" component="span">
        {log.send_at ? (
          <>
            Begins <Time at={log.send_at} />
          </>
        ) : (
          'Starts immediately'
        )}
      </Text>
    );
  const { through, audience } = throughOf(log);
  return (
    <div>
      <Text size="xs" mb={4}>
        {words[log.status]}
        {figure.format(through)} of {figure.format(audience)}
        {log.failed > 0 && `, ${figure.format(log.failed)} failed`}
      </Text>
      <OutcomeBar log={log} size="sm" label={`Progress of ${row.name}`} />
    </div>
  );
}

const columns: Column<Item>[] = [
  { title: 'Name', sort: 'name', important: true, width: 'minmax(12rem, 2fr)', render: (row) => row.name },
  { title: 'Channel', width: '6rem', render: (row) => (row.channel === 'SMS' ? 'SMS' : 'Chat') },
  { title: 'Status', width: '9rem', render: (row) => <Status word={row.status} /> },
  { title: 'Progress', important: true, width: 'minmax(12rem, 2fr)', render: (row) => <ProgressCell row={row} /> },
  { title: 'Created', width: '8rem', sort: 'created', render: (row) => <Time at={row.created} /> },
];

const create = <NewLink href="/campaigns/new">New campaign</NewLink>;

const statuses = [
  { value: 'DRAFT', label: 'Draft' },
  { value: 'SCHEDULED', label: 'Scheduled' },
  { value: 'RUNNING', label: 'Running' },
  { value: 'PAUSED', label: 'Paused' },
  { value: 'COMPLETED', label: 'Completed' },
  { value: 'CANCELLED', label: 'Cancelled' },
];

/** All campaigns with how far they are. */
export function ListOfCampaigns() {
  const filters = useFilters([
    { kind: 'search', name: 'search', label: 'Name' },
    { kind: 'select', name: 'status', label: 'Status', options: statuses },
    {
      kind: 'select',
      name: 'channel',
      label: 'Channel',
      options: [
        { value: 'CHATAPP', label: 'Chat' },
        { value: 'SMS', label: 'SMS' },
      ],
    },
    { kind: 'dates' },
  ]);
  const list = useList('/v2/campaigns/', filters.query);
  const logs = useList('/v2/campaign-logs/', {}, { pageSize: 200 });
  const byId = useMemo(() => new Map(logs.rows.map((log) => [log.uuid, log])), [logs.rows]);
  useLiveRefresh(['campaign.'], ['/v2/campaigns/', '/v2/campaign-logs/']);
  usePolling(
    logs.rows.some(({ status }) => status === 'RUNNING'),
    ['/v2/campaign-logs/'],
  );
  const live = logs.rows.filter(({ status }) => isLive(status)).length;
  return (
    <Page
      title="Campaigns"
      description="One message to everyone on your lists."
      {...(live > 0 && { aside: <Status word="RUNNING" label={`${live} under way or scheduled`} /> })}
      actions={create}
    >
      <Launches value={byId}>
        <Listing
          one="campaign"
          label="Campaigns"
          list={list}
          columns={columns}
          filters={filters}
          rowHeight={60}
          href={(row) => `/campaigns/${row.uuid}`}
          icon={IconSpeakerphone}
          hint="A campaign sends a personalised message to everyone on your lists. Nothing is sent until you launch it."
          action={create}
        />
      </Launches>
    </Page>
  );
}
