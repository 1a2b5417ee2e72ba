import { Progress, Text } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { usePolling } from '../../parts/campaigns/use-polling.ts';
import {
  type Column,
  Listing,
  NewLink,
  optionsOf,
  Page,
  Status,
  sayFigure,
  Time,
  useFilters,
} from '../../parts/index.ts';
import { figuresOf, isOver, jobTypes, nameOf } from '../../parts/jobs/words.ts';

type Item = Row<'/v3/jobs/'>;

function Outcome({ job }: { job: Item }) {
  const { done, total } = job.progress;
  if (job.status === 'FAILED') return <>{job.reason}</>;
  if (isOver(job.status))
    return (
      <>
        {figuresOf(job.result)
          .filter(({ value }) => value > 0)
          .map(({ label, value }) => `${sayFigure(value)} ${label.toLowerCase()}`)
          .join(', ') || '–'}
      </>
    );
  const share = total ? (done / total) * 100 : 0;
  return (
    <div>
      <Text size="xs" mb={4}>
        {sayFigure(done)}
        {total !== null && ` of ${sayFigure(total)}`}
      </Text>
      <Progress size="sm" value={share} color="brand.6" aria-label={`Progress of ${nameOf(job.type)}`} />
    </div>
  );
}

const columns: Column<Item>[] = [
  { title: 'Job', important: true, width: 'minmax(11rem, 1fr)', render: (row) => nameOf(row.type) },
  { title: 'Status', important: true, width: '9rem', render: (row) => <Status word={row.status} /> },
  { title: 'Outcome', width: 'minmax(14rem, 2fr)', render: (row) => <Outcome job={row} /> },
  { title: 'Submitted', width: '8rem', sort: 'created', render: (row) => <Time at={row.created} /> },
  { title: 'Ended', width: '8rem', render: (row) => <Time at={row.finished} /> },
];

const create = <NewLink href="/jobs/new">New job</NewLink>;

/** All jobs with how far they are. */
export function ListOfJobs() {
  const filters = useFilters([
    {
      kind: 'select',
      name: 'type',
      label: 'Type',
      options: optionsOf(jobTypes),
    },
    {
      kind: 'select',
      name: 'status',
      label: 'Status',
      options: optionsOf(['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED']),
    },
    { kind: 'dates' },
  ]);
  const list = useList('/v3/jobs/', filters.query);
  useLiveRefresh(['job.'], ['/v3/jobs/']);
  usePolling(
    list.rows.slice(0, 100).some(({ status }) => !isOver(status)),
    ['/v3/jobs/'],
    1500,
  );
  return (
    <Page title="Jobs" description="Imports, exports and bulk operations." actions={create}>
      <Listing
        one="job"
        label="Jobs"
        list={list}
        columns={columns}
        filters={filters}
        rowHeight={54}
        href={(row) => `/jobs/${row.id}`}
        icon={IconListCheck}
        hint="Uploads, exports and bulk messages run as jobs in the background."
        action={create}
      />
    </Page>
  );
}
