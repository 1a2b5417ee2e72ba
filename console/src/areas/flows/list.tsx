import { Group } from '@mantine/core';
import { IconForms } from '@tabler/icons-react';
import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { type Column, Listing, NewLink, Page, Phone, Status, Time, useFilters } from '../../parts/index.ts';
import { SyncButton } from '../../parts/messages/sync-button.tsx';
import { useSenderOptions } from '../../parts/messages/use-senders.ts';
import { categories, categoryNames, statusOptions } from './words.ts';

type Flow = Row<'/v2/chatapp/flows/'>;

const columns: Column<Flow>[] = [
  { title: 'Name', sort: 'name', important: true, width: 'minmax(12rem, 2fr)', render: (row) => row.name },
  { title: 'Category', width: 'minmax(10rem, 1fr)', render: (row) => categoryNames[row.category] ?? row.category },
  {
    title: 'Status',
    important: true,
    width: '13rem',
    render: (row) => (
      <Group gap={4} wrap="nowrap">
        <Status word={row.status} />
        {row.validation_errors.length > 0 && <Status word="ERROR" label="Has errors" />}
        {row.wanted_status && <Status word="PENDING" label={`To ${row.wanted_status.toLowerCase()}`} />}
      </Group>
    ),
  },
  { title: 'Number', width: 'minmax(10rem, 1fr)', render: (row) => <Phone number={row.chatapp_number} copy={false} /> },
  { title: 'Created', width: '8rem', sort: 'created', render: (row) => <Time at={row.created} /> },
];

const create = <NewLink href="/flows/new">New flow</NewLink>;

/** Forms that people fill in within the chat. */
export function FlowList() {
  const filters = useFilters([
    { kind: 'search', name: 'search', label: 'Name' },
    { kind: 'select', name: 'status', label: 'Status', options: statusOptions },
    { kind: 'select', name: 'category', label: 'Category', options: categories },
    { kind: 'late-select', name: 'chatapp_number', label: 'Your number', useOptions: useSenderOptions },
  ]);
  const list = useList('/v2/chatapp/flows/', filters.query as never);
  useLiveRefresh(['flow.'], ['/v2/chatapp/flows/']);
  return (
    <Page
      title="Flows"
      description="Forms inside a chat. The answers come back as one message."
      actions={
        <>
          <SyncButton what="flows" />
          {create}
        </>
      }
    >
      <Listing
        one="flow"
        label="Flows"
        list={list}
        columns={columns}
        filters={filters}
        href={(row) => `/flows/${row.uuid}`}
        icon={IconForms}
        hint="Start from an example and try it before you publish."
        action={create}
      />
    </Page>
  );
}
