import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMicrophone, IconPhone, IconPhonePlus, IconPlayerRecord } from '@tabler/icons-react';
import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { sayLength } from '../../parts/audio/sound.ts';
import { type Column, CsvButton, Listing, May, Page, Phone, Time, useFilters, Who } from '../../parts/index.ts';
import { lateDialog } from '../../parts/loading/late-dialog.tsx';
import { useSearchParam } from '../../parts/page/search-param.ts';
import { CallBadge, DirectionIcon, resultOptions } from './result.tsx';
import { UnderWay } from './under-way.tsx';

const StartDialog = lateDialog(async () => (await import('./start-dialog.tsx')).StartDialog);

type Item = Row<'/v2/voice/calls/'>;

const columns: Column<Item>[] = [
  {
    title: 'Who',
    important: true,
    width: 'minmax(13rem, 1.2fr)',
    render: (row) => (
      <Group gap="xs" wrap="nowrap">
        <DirectionIcon direction={row.direction} />
        <Caller number={row.direction === 'INBOUND' ? row.from : row.to} at={row.created} />
      </Group>
    ),
    csv: (row) => (row.direction === 'INBOUND' ? row.from : row.to),
  },
  {
    title: 'Your number',
    width: 'minmax(11rem, 1fr)',
    render: (row) => <Phone number={row.number} />,
    csv: (row) => row.number,
  },
  {
    title: 'Result',
    important: true,
    width: '8.5rem',
    render: (row) => <CallBadge call={row} />,
    csv: (row) => row.result ?? row.status,
  },
  {
    title: 'Talked',
    width: '5rem',
    align: 'right',
    render: (row) => sayLength(row.talk_seconds),
    csv: (row) => row.talk_seconds,
  },
  { title: 'Recording', width: '6rem', render: (row) => <Recorded call={row} />, csv: (row) => row.recording_url },
  {
    title: 'When',
    width: '7rem',
    sort: 'created',
    render: (row) => <Time at={row.created} />,
    csv: (row) => row.created,
  },
];

const Caller = ({ number, at }: { number: string; at: string }) =>
  number ? (
    <Who number={number} copy below={<Time at={at} />} />
  ) : (
    <div>
      <Text size="sm" c="dimmed">
        Withheld
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="sm" component="div">
        <Time at={at} />
      </Text>
    </div>
  );

function Recorded({ call }: { call: Item }) {
  if (!call.recording_url) return '–';
  const Icon = call.voicemail ? IconMicrophone : IconPlayerRecord;
  return (
    <Group gap={4} wrap="nowrap">
      <Icon size={15} aria-hidden />
      <Text size="sm">{sayLength(call.recording_seconds ?? 0)}</Text>
    </Group>
  );
}

/** Every call, those under way on top. */
export function CallList() {
  const [dialled, setDialled] = useSearchParam('call');
  const [isOpen, { open, close }] = useDisclosure();
  const filters = useFilters([
    { kind: 'search', name: 'search', label: 'Name or number' },
    // Other pages link here with them.
    { kind: 'other', name: 'number' },
    { kind: 'other', name: 'caller' },
    { kind: 'other', name: 'agent' },
    { kind: 'other', name: 'call_tracking' },
    { kind: 'select', name: 'result', label: 'Result', options: resultOptions },
    {
      kind: 'select',
      name: 'direction',
      label: 'Direction',
      options: [
        { value: 'INBOUND', label: 'Inbound' },
        { value: 'OUTBOUND', label: 'Outbound' },
      ],
    },
    { kind: 'dates' },
  ]);
  const list = useList('/v2/voice/calls/', filters.query);
  useLiveRefresh(['call.'], ['/v2/voice/calls/']);
  useLiveRefresh(['contact.'], ['/v2/contacts/names/']);
  const start = (
    <May>
      <Button leftSection={<IconPhonePlus size={16} />} onClick={open}>
        Start a call
      </Button>
    </May>
  );
  return (
    <Page
      title="Calls"
      description="All inbound and outbound calls."
      actions={
        <>
          <CsvButton path="/v2/cdr/" query={filters.query} filename="calls.csv" />
          {start}
        </>
      }
    >
      <Stack>
        <UnderWay />
        <div>
          <Listing
            one="call"
            label="Calls"
            list={list}
            columns={columns}
            filters={filters}
            rowHeight={52}
            href={(row) => `/calls/${row.uuid}`}
            icon={IconPhone}
            hint="Call one of your numbers from the phone simulator, or start a call."
            action={start}
          />
        </div>
      </Stack>
      <StartDialog
        key={dialled}
        opened={isOpen || dialled !== ''}
        close={() => {
          close();
          setDialled('');
        }}
        to={dialled}
      />
    </Page>
  );
}
