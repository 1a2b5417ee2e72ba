import { type Row, useList } from '../../../api/index.ts';
import { type Column, DataTable, EmptyState, Phone, Status, Time, TwoLines } from '../../../parts/index.ts';

type Item = Row<'/v2/chatapp/chat-intros/{uuid}/sessions/'>;

const columns: Column<Item>[] = [
  {
    title: 'Lead',
    important: true,
    width: 'minmax(9rem, 2fr)',
    render: (row) => <TwoLines first={row.aparty_name} second={<Phone number={row.aparty_number} copy={false} />} />,
  },
  { title: 'Status', important: true, width: '9rem', render: (row) => <Status word={row.status} /> },
  { title: 'Started', important: true, width: '7rem', sort: 'created', render: (row) => <Time at={row.started} /> },
  { title: 'Notified', width: '7rem', render: (row) => <Time at={row.notified} /> },
  { title: 'Connected', width: '7rem', render: (row) => <Time at={row.connected ?? row.aparty_connected} /> },
];

/** The sessions of an intro, the newest first. */
export function Sessions({ uuid, since }: { uuid: string; since: string }) {
  const list = useList('/v2/chatapp/chat-intros/{uuid}/sessions/', since ? { created_after: since } : {}, {
    params: { uuid },
  });
  return (
    <DataTable
      label="Sessions"
      list={list}
      columns={columns}
      rowHeight={56}
      maxHeight="32rem"
      empty={
        <EmptyState
          title={since ? 'No sessions in this period.' : 'No sessions yet.'}
          hint="Open the link on the simulator and send the text, or start a session by a number."
        />
      }
      href={(row) => `/intros/${uuid}/sessions/${row.uuid}`}
    />
  );
}
