import { type Row, useList } from '../../../api/index.ts';
import { type Column, DataTable, Status, sayFigure, Time } from '../../../parts/index.ts';

type Item = Row<'/v2/campaign-logs/'>;

const columns: Column<Item>[] = [
  { title: 'Launched', important: true, width: '9rem', sort: 'created', render: (row) => <Time at={row.created} /> },
  { title: 'Status', important: true, width: '9rem', render: (row) => <Status word={row.status} /> },
  {
    title: 'Audience',
    align: 'right',
    important: true,
    render: (row) => (row.audience === null ? '–' : sayFigure(row.audience)),
  },
  { title: 'Delivered', align: 'right', render: (row) => sayFigure(row.delivered + row.read) },
  { title: 'Failed', align: 'right', render: (row) => sayFigure(row.failed) },
  { title: 'Replied', align: 'right', render: (row) => sayFigure(row.replied) },
  { title: 'Clicked', align: 'right', render: (row) => sayFigure(row.clicked) },
  { title: 'Ended', width: '9rem', render: (row) => <Time at={row.finished} /> },
];

/** Every launch of a campaign. */
export function Launches({ campaign }: { campaign: string }) {
  const list = useList('/v2/campaign-logs/', { campaign });
  return (
    <DataTable
      label="Launches"
      list={list}
      columns={columns}
      href={(row) => `/campaigns/${campaign}/launches/${row.uuid}`}
    />
  );
}
