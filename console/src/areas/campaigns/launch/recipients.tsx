import { Select } from '@mantine/core';
import { useState } from 'react';
import { type Row, useList } from '../../../api/index.ts';
import { usePolling } from '../../../parts/campaigns/use-polling.ts';
import { type Column, DataTable, EmptyState, Phone, Status, Time } from '../../../parts/index.ts';
import { summaryOf } from '../../../parts/messages/summary.ts';
import type { Log } from '../wizard/shares.ts';

type Message = Row<'/v2/chatapp/messages/'>;
type Sms = Row<'/v2/sms-records/'>;
interface RecipientsProps {
  log: Log;
  direction: 'OUTBOUND' | 'INBOUND';
}

const status = <R extends { status: string; status_description: string }>(): Column<R>[] => [
  { title: 'Status', width: '9rem', important: true, render: (row) => <Status word={row.status} /> },
  { title: 'Why', width: 'minmax(10rem, 2fr)', render: (row) => row.status_description || '–' },
];
const when = <R extends { created: string }>(): Column<R> => ({
  title: 'When',
  width: '8rem',
  render: (row) => <Time at={row.created} />,
});
const sentChat: Column<Message>[] = [
  { title: 'To', width: '12rem', important: true, render: (row) => <Phone number={row.to_chatapp_number} /> },
  ...status<Message>(),
  when(),
];
const sentSms: Column<Sms>[] = [
  { title: 'To', width: '12rem', important: true, render: (row) => <Phone number={row.to} /> },
  { title: 'Parts', width: '4rem', align: 'right', render: (row) => row.segments },
  ...status<Sms>(),
  when(),
];
const replyChat: Column<Message>[] = [
  { title: 'From', width: '12rem', important: true, render: (row) => <Phone number={row.from_chatapp_number} /> },
  { title: 'Message', width: 'minmax(12rem, 3fr)', important: true, render: summaryOf },
  when(),
];
const replySms: Column<Sms>[] = [
  { title: 'From', width: '12rem', important: true, render: (row) => <Phone number={row.from} /> },
  { title: 'Text', width: 'minmax(12rem, 3fr)', important: true, render: (row) => row.text },
  when(),
];
const statuses = ['QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELLED'];

/** The messages of a launch, or the answers to them. */
export function Recipients({ log, direction }: RecipientsProps) {
  const [only, setOnly] = useState<string | null>(null);
  const isSms = log.channel === 'SMS';
  const query = { campaign_log: log.uuid, direction, ...(only && { status: only }) };
  const messages = useList('/v2/chatapp/messages/', query, { enabled: !isSms });
  const sms = useList('/v2/sms-records/', query, { enabled: isSms });
  usePolling(log.status === 'RUNNING', [isSms ? '/v2/sms-records/' : '/v2/chatapp/messages/'], 4000);
  const out = direction === 'OUTBOUND';
  const offered = isSms ? statuses.filter((word) => word !== 'READ') : statuses;
  const empty = (
    <EmptyState
      title={out ? 'No messages here yet.' : 'No replies yet.'}
      hint={out ? 'Recipients appear here as the launch proceeds.' : 'Replies within three days are counted.'}
    />
  );
  return (
    <>
      {out && (
        <Select
          aria-label="Status"
          placeholder="Any status"
          data={offered.map((word) => ({ value: word, label: word.charAt(0) + word.slice(1).toLowerCase() }))}
          value={only}
          onChange={setOnly}
          clearable
          maw="14rem"
          mb="sm"
        />
      )}
      {isSms ? (
        <DataTable
          label={out ? 'SMS of the launch' : 'Replies'}
          list={sms}
          columns={out ? sentSms : replySms}
          maxHeight="30rem"
          empty={empty}
          href={(row) => `/sms/${row.uuid}`}
        />
      ) : (
        <DataTable
          label={out ? 'Messages of the launch' : 'Replies'}
          list={messages}
          columns={out ? sentChat : replyChat}
          maxHeight="30rem"
          empty={empty}
          href={(row) => `/messages/${row.uuid}`}
        />
      )}
    </>
  );
}
