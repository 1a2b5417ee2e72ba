import { Button } from '@mantine/core';
import { IconBan, IconHistory, IconUpload } from '@tabler/icons-react';
import { Link } from 'wouter';
import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { type Column, Listing, May, NewLink, Page, Phone, Time, useFilters } from '../../parts/index.ts';
import { channels, nameOfChannel, nameOfSource } from '../../parts/opt-outs/words.ts';

type Item = Row<'/v2/opt-outs/'>;

const columns: Column<Item>[] = [
  {
    title: 'Number',
    important: true,
    width: 'minmax(12rem, 1fr)',
    render: (row) => <Phone number={row.phone_number} />,
  },
  { title: 'Out of', important: true, width: '9rem', render: (row) => nameOfChannel(row.channel) },
  { title: 'How', width: '14rem', render: (row) => nameOfSource(row.source) },
  { title: 'Proof', width: 'minmax(10rem, 2fr)', render: (row) => row.text || '–' },
  { title: 'Since', width: '9rem', sort: 'created', render: (row) => <Time at={row.created} /> },
];

const create = <NewLink href="/opt-outs/new">Add an opt-out</NewLink>;

/** Who has opted out now. */
export function ListOfOptOuts() {
  const filters = useFilters([
    { kind: 'search', name: 'search', label: 'Name or number' },
    { kind: 'other', name: 'number' },
    { kind: 'select', name: 'channel', label: 'Out of', options: channels },
    { kind: 'dates' },
  ]);
  const list = useList('/v2/opt-outs/', filters.query);
  useLiveRefresh(['optout.', 'job.finished'], ['/v2/opt-outs/']);
  return (
    <Page
      title="Opt-outs"
      description="People who do not want messages."
      actions={
        <>
          <Button component={Link} href="/opt-outs/history" variant="default" leftSection={<IconHistory size={16} />}>
            History
          </Button>
          <May>
            <Button component={Link} href="/opt-outs/upload" variant="default" leftSection={<IconUpload size={16} />}>
              Upload
            </Button>
          </May>
          {create}
        </>
      }
    >
      <Listing
        one="opt-out"
        label="Opt-outs"
        list={list}
        columns={columns}
        filters={filters}
        href={(row) => `/opt-outs/${row.uuid}`}
        unfit="Enter the complete number."
        icon={IconBan}
        none="No opt-outs yet."
        hint="People who text STOP are added automatically. Add others here."
        action={create}
      />
    </Page>
  );
}
