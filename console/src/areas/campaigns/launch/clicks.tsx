import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useList } from '../../../api/index.ts';
import { useLiveRefresh } from '../../../live/index.ts';
import { type Column, DataTable, EmptyState, Time } from '../../../parts/index.ts';
import type { Log } from '../wizard/shares.ts';

interface Click {
  uuid: string;
  at: string;
  data: object;
}

const part = (row: Click, name: 'url' | 'message'): string => {
  const value = (row.data as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
};

const columnsOf = (channel: Log['channel']): Column<Click>[] => [
  { title: 'When', width: '9rem', important: true, render: (row) => <Time at={row.at} /> },
  { title: 'Address', width: 'minmax(12rem, 3fr)', important: true, render: (row) => part(row, 'url') || '–' },
  {
    title: 'Message',
    width: '8rem',
    render: (row) =>
      part(row, 'message') && (
        <Anchor component={Link} size="sm" href={`/${channel === 'SMS' ? 'sms' : 'messages'}/${part(row, 'message')}`}>
          See it
        </Anchor>
      ),
  },
];
const columns = { SMS: columnsOf('SMS'), CHATAPP: columnsOf('CHATAPP') };

/** When links of the launch were opened, and from which message. */
export function Clicks({ log }: { log: Log }) {
  const events = useList('/v2/events/', { subject: log.uuid, kind: 'campaign.clicked' });
  useLiveRefresh(['campaign.clicked'], ['/v2/events/']);
  return (
    <DataTable
      label="Clicks"
      list={events}
      columns={columns[log.channel]}
      maxHeight="30rem"
      empty={
        <EmptyState
          title="No link has been opened."
          hint="Links are counted when “Track links” is on in the campaign."
        />
      }
    />
  );
}
