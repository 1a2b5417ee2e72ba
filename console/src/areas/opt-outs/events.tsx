import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { type Column, Listing, Page, Phone, Status, Time, useFilters } from '../../parts/index.ts';
import { nameOfChannel, nameOfSource } from '../../parts/opt-outs/words.ts';

type Item = Row<'/v2/opt-out-events/'>;

const columns: Column<Item>[] = [
  { title: 'When', width: '8rem', sort: 'created', render: (row) => <Time at={row.created} /> },
  {
    title: 'What',
    important: true,
    width: '8rem',
    render: (row) =>
      row.action === 'OPT_OUT' ? (
        <Status word="BLOCKED" label="Opted out" />
      ) : (
        <Status word="ACTIVE" label="Opted in" />
      ),
  },
  {
    title: 'Number',
    important: true,
    width: 'minmax(12rem, 1fr)',
    render: (row) => <Phone number={row.phone_number} />,
  },
  { title: 'Out of', width: '9rem', render: (row) => nameOfChannel(row.channel) },
  { title: 'How', width: '14rem', render: (row) => nameOfSource(row.source) },
  { title: 'Proof', width: 'minmax(10rem, 2fr)', render: (row) => row.text || '–' },
];

/** Every opt-out and opt-in there ever was: nothing is ever taken out of it. */
export function OptOutEvents() {
  const filters = useFilters([{ kind: 'search', name: 'number', label: 'Number' }, { kind: 'dates' }]);
  const list = useList('/v2/opt-out-events/', filters.query);
  useLiveRefresh(['optout.'], ['/v2/opt-out-events/']);
  return (
    <Page
      title="History of opt-outs"
      description="Every opt-out and opt-in, with its source. Entries are permanent."
      trail={[{ title: 'Opt-outs', href: '/opt-outs' }]}
    >
      <Listing
        one="event"
        label="History"
        list={list}
        columns={columns}
        filters={filters}
        unfit="Enter the complete number."
        none="No opt-outs or opt-ins yet."
      />
    </Page>
  );
}
