import { type Row, useList } from '../../../api/index.ts';
import { type Column, DataTable, EmptyState, Phone, Time } from '../../../parts/index.ts';
import type { Log } from '../wizard/shares.ts';

type Item = Row<'/v2/campaign-logs/{uuid}/opted-out-contacts/'>;

const columns: Column<Item>[] = [
  {
    title: 'Number',
    important: true,
    width: 'minmax(12rem, 1fr)',
    render: (row) => <Phone number={row.phone_number} />,
  },
  { title: 'Name', important: true, render: (row) => row.name || '–' },
  { title: 'Left out', width: '9rem', render: (row) => <Time at={row.created} /> },
];

/** Whom a launch left out because they had opted out. */
export function OptedOut({ log }: { log: Log }) {
  const list = useList('/v2/campaign-logs/{uuid}/opted-out-contacts/', {}, { params: { uuid: log.uuid } });
  return (
    <DataTable
      label="Opted-out contacts"
      list={list}
      columns={columns}
      maxHeight="30rem"
      rowKey={(row) => row.contact}
      empty={<EmptyState title="No one was skipped because of an opt-out." />}
      href={(row) => `/contacts/${row.contact}`}
    />
  );
}
