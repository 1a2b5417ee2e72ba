import { Anchor, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Row, type Schema, useList } from '../../api/index.ts';
import { usePolling } from '../../parts/campaigns/use-polling.ts';
import { type Column, DataTable, EmptyState, Status } from '../../parts/index.ts';
import { isOver, sayRefusal } from '../../parts/jobs/words.ts';

type Item = Row<'/v3/jobs/{id}/results/'>;

/** Where the thing that an item became is shown. */
const places: Record<string, (value: Record<string, unknown>) => string | undefined> = {
  'messages.send': ({ uuid }) => `/messages/${uuid}`,
  'sms.send': ({ uuid }) => `/sms/${uuid}`,
  'opt_outs.import': ({ uuid }) => `/opt-outs/${uuid}`,
  'contacts.import': ({ uuid }) => `/contacts/${uuid}`,
  'numbers.create': ({ number }) => `/numbers/${encodeURIComponent(String(number))}`,
  'numbers.update': ({ number }) => `/numbers/${encodeURIComponent(String(number))}`,
};

const nameIn = (value: Record<string, unknown>): string =>
  String(value['phone_number'] ?? value['number'] ?? value['name'] ?? value['uuid'] ?? 'Done');

function columnsOf(type: string): Column<Item>[] {
  return [
    {
      title: 'Item',
      width: '5rem',
      important: true,
      align: 'right',
      render: (row) => row.line ?? (row.index ?? 0) + 1,
    },
    {
      title: 'Result',
      width: '8rem',
      important: true,
      render: (row) => (row.ok ? <Status word="DONE" /> : <Status word="REJECTED" label="Refused" />),
    },
    {
      title: 'Result',
      width: 'minmax(14rem, 3fr)',
      important: true,
      render: (row) => (row.ok ? <Made type={type} value={row.value} /> : sayRefusal(row.error)),
    },
  ];
}

function Made({ type, value }: { type: string; value: object }) {
  const fields = value as Record<string, unknown>;
  const place = places[type]?.(fields);
  const name = nameIn(fields);
  if (!place || place.endsWith('undefined')) return <>{name}</>;
  return (
    <Anchor component={Link} href={place} size="sm">
      {name}
    </Anchor>
  );
}

function hintOf({ status, type }: Schema<'JobDetail'>): string | undefined {
  if (!isOver(status)) return 'Results appear as the job runs.';
  return type === 'opt_outs.import' ? 'For files, only rejected rows are kept.' : undefined;
}

/** What came of each item. */
export function Results({ job }: { job: Schema<'JobDetail'> }) {
  const [ok, setOk] = useState('');
  const [columns] = useState(() => columnsOf(job.type));
  const list = useList('/v3/jobs/{id}/results/', ok ? { ok } : {}, { params: { id: job.id } });
  usePolling(!isOver(job.status), ['/v3/jobs/{id}/results/']);
  return (
    <>
      <SegmentedControl
        aria-label="Filter results"
        size="xs"
        mb="sm"
        w="fit-content"
        data={[
          { value: '', label: 'All' },
          { value: 'true', label: 'Done' },
          { value: 'false', label: 'Refused' },
        ]}
        value={ok}
        onChange={setOk}
      />
      <DataTable
        label="Results"
        list={list}
        columns={columns}
        maxHeight="26rem"
        rowKey={(row) => `${row.line ?? ''}-${row.index ?? ''}`}
        empty={<EmptyState title="No results here." hint={hintOf(job)} />}
      />
    </>
  );
}
