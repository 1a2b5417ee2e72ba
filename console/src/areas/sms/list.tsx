import { Anchor, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowDownLeft, IconArrowUpRight, IconBuildingBroadcastTower, IconSend } from '@tabler/icons-react';
import { Link } from 'wouter';
import { call, type Row, type Schema, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import {
  type Column,
  CsvButton,
  Listing,
  May,
  optionsOf,
  Page,
  Phone,
  Status,
  Time,
  useFilters,
  useMayChange,
  Who,
} from '../../parts/index.ts';
import { lateDialog } from '../../parts/loading/late-dialog.tsx';
import { useSearchParam } from '../../parts/page/search-param.ts';
import { CancelMany } from '../../parts/selection/cancel-many.tsx';
import { ResendButton } from '../../parts/selection/resend-button.tsx';
import { useSelection } from '../../parts/selection/selection.tsx';

const SendDialog = lateDialog(async () => (await import('./send-dialog.tsx')).SendDialog);

type Item = Row<'/v2/sms-records/'>;

/** In or out, by icon and word. */
export const Direction = ({ direction }: { direction: Schema<'SmsDirection'> }) =>
  direction === 'INBOUND' ? (
    <IconArrowDownLeft size={18} role="img" aria-label="Received" style={{ flexShrink: 0 }} />
  ) : (
    <IconArrowUpRight size={18} role="img" aria-label="Sent" style={{ flexShrink: 0 }} />
  );

const columns: Column<Item>[] = [
  {
    title: 'Who',
    important: true,
    width: 'minmax(12rem, 1fr)',
    render: (row) => (
      <Group gap="xs" wrap="nowrap">
        <Direction direction={row.direction} />
        <Who
          number={row.direction === 'INBOUND' ? row.from : row.to}
          copy
          below={
            <>
              <Time at={row.created} /> · {row.text}
            </>
          }
        />
      </Group>
    ),
    csv: (row) => (row.direction === 'INBOUND' ? row.from : row.to),
  },
  {
    title: 'Your number',
    width: 'minmax(10rem, 1fr)',
    render: (row) => <Phone number={row.direction === 'INBOUND' ? row.to : row.from} />,
    csv: (row) => (row.direction === 'INBOUND' ? row.to : row.from),
  },
  { title: 'Text', width: 'minmax(10rem, 2fr)', render: (row) => row.text, csv: (row) => row.text },
  { title: 'Parts', width: '4rem', align: 'right', render: (row) => row.segments, csv: (row) => row.segments },
  {
    title: 'Status',
    important: true,
    width: '8.5rem',
    render: (row) => <Status word={row.status} />,
    csv: (row) => row.status,
  },
  {
    title: 'When',
    width: '7rem',
    sort: 'created',
    render: (row) => <Time at={row.created} />,
    csv: (row) => row.created,
  },
];

/** All SMS, sent and received. */
export function SmsList() {
  const [recipient, setRecipient] = useSearchParam('write');
  const [isOpen, { open, close }] = useDisclosure();
  const filters = useFilters([
    { kind: 'search', name: 'search', label: 'Name or number' },
    { kind: 'other', name: 'number' },
    {
      kind: 'select',
      name: 'direction',
      label: 'Direction',
      options: [
        { value: 'INBOUND', label: 'Received' },
        { value: 'OUTBOUND', label: 'Sent' },
      ],
    },
    {
      kind: 'select',
      name: 'status',
      label: 'Status',
      options: optionsOf(['QUEUED', 'SENT', 'DELIVERED', 'FAILED', 'CANCELLED', 'RECEIVED']),
    },
    { kind: 'dates' },
    // A campaign links here with it.
    { kind: 'other', name: 'campaign_log' },
  ]);
  const campaign = filters.get('campaign_log');
  const list = useList('/v2/sms-records/', filters.query);
  useLiveRefresh(['sms.'], ['/v2/sms-records/']);
  const selection = useSelection(list);
  const may = useMayChange();
  useLiveRefresh(['contact.'], ['/v2/contacts/names/']);
  const send = (
    <May>
      <Button leftSection={<IconSend size={16} />} onClick={open}>
        Send an SMS
      </Button>
    </May>
  );
  return (
    <Page
      title="SMS"
      description={campaign ? 'The SMS of one campaign.' : 'All SMS, sent and received.'}
      actions={
        <>
          <Button variant="default" component={Link} href="/settings/sms-senders">
            Sender names
          </Button>
          <CsvButton path="/v2/sms-records/" query={filters.query} filename="sms.csv" />
          {send}
        </>
      }
    >
      {campaign && (
        <Text size="sm" mb="sm">
          <Anchor component={Link} href="/sms">
            Show all SMS
          </Anchor>
        </Text>
      )}
      <Listing
        one="SMS"
        label="SMS"
        list={list}
        columns={columns}
        filters={filters}
        rowHeight={52}
        {...(may && { selection })}
        rowName={(row) => `${row.direction === 'INBOUND' ? row.from : row.to}: ${row.text}`}
        href={(row) => `/sms/${row.uuid}`}
        icon={IconBuildingBroadcastTower}
        none="No SMS yet."
        hint="Send one, or write to one of your numbers from the phone simulator."
        action={send}
      >
        <CancelMany
          selection={selection}
          rows={list.rows}
          many="SMS"
          run={(uuids) => call('post', '/v2/send-sms/cancel/', { body: { sms: uuids } })}
          invalidates={['/v2/sms-records/']}
        >
          <ResendButton
            selection={selection}
            rows={list.rows}
            one="SMS"
            many="SMS"
            run={(uuids) => call('post', '/v2/send-sms/resend/', { body: { sms: uuids } })}
            invalidates={['/v2/sms-records/']}
          />
        </CancelMany>
      </Listing>
      <SendDialog
        key={recipient}
        opened={isOpen || recipient !== ''}
        close={() => {
          close();
          setRecipient('');
        }}
        to={recipient}
      />
    </Page>
  );
}
