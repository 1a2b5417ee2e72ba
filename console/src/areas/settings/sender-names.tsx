import { Button, Group, Textarea } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useState } from 'react';
import { call, type Row, useAct, useList } from '../../api/index.ts';
import { OpenDialog } from '../../parts/actions/open-dialog.tsx';
import { ApiForm, type Column, Listing, Status, Time, TwoLines, useFilters } from '../../parts/index.ts';
import { SettingsPage } from './settings-page.tsx';

type Name = Row<'/v2/operator/sender-names/'>;

const path = '/v2/operator/sender-names/';
/** An operator may have registered some of the names for their own account. */
const invalidates = [path, '/v2/sms-senders/'];
const labels = { PENDING: 'Waits', APPROVED: 'Approved', REJECTED: 'Rejected' } as const;

function ApproveButton({ name: { uuid, sender } }: { name: Name }) {
  const approve = useAct('post', '/v2/operator/sender-names/{uuid}/approve/', { invalidates, done: 'Approved.' });
  return (
    <Button
      size="compact-sm"
      loading={approve.isPending}
      onClick={() => approve.mutate({ params: { uuid } })}
      aria-label={`Approve ${sender}`}
    >
      Approve
    </Button>
  );
}

/** Asks why, for the account to read. */
const RejectDialog = ({ name: { uuid, sender, account }, onClose }: { name: Name; onClose(): void }) => (
  <OpenDialog onClose={onClose} title={`Reject “${sender}”`}>
    <ApiForm
      initialValues={{ reason: '' }}
      submit={({ reason }) =>
        call('post', '/v2/operator/sender-names/{uuid}/reject/', {
          params: { uuid },
          body: reason.trim() === '' ? {} : { reason: reason.trim() },
        })
      }
      button="Reject"
      done="Rejected."
      invalidates={invalidates}
      onDone={onClose}
      onCancel={onClose}
      side
    >
      {(form) => (
        <Textarea
          label="Reason"
          description={`${account.name} reads it beside the name. Nothing more is sent from it.`}
          placeholder="It is the name of a bank."
          maxLength={500}
          autosize
          minRows={2}
          data-autofocus
          {...form.getInputProps('reason')}
        />
      )}
    </ApiForm>
  </OpenDialog>
);

const columnsWith = (reject: (name: Name) => void): Column<Name>[] => [
  {
    title: 'Name',
    important: true,
    width: 'minmax(9rem, 1fr)',
    render: (row) => <TwoLines first={row.sender} second={row.account.name} />,
  },
  {
    title: 'State',
    width: 'minmax(9rem, 1fr)',
    render: (row) => (
      <span title={row.reason ?? ''}>
        <Status word={row.status} label={labels[row.status]} />
      </span>
    ),
  },
  { title: 'Registered', width: '9rem', render: (row) => <Time at={row.created} /> },
  {
    title: 'Decide',
    important: true,
    width: '12rem',
    render: (row) => (
      <Group gap="xs" wrap="nowrap">
        {row.status !== 'APPROVED' && <ApproveButton name={row} />}
        {row.status !== 'REJECTED' && (
          <Button size="compact-sm" variant="default" onClick={() => reject(row)} aria-label={`Reject ${row.sender}`}>
            Reject
          </Button>
        )}
      </Group>
    ),
  },
];

/** For whoever runs the server: the names that accounts want to send SMS from. */
export function SenderNames() {
  const [rejected, setRejected] = useState<Name | null>(null);
  const filters = useFilters([
    {
      kind: 'select',
      name: 'status',
      label: 'Decided',
      options: [
        { value: 'APPROVED', label: labels.APPROVED },
        { value: 'REJECTED', label: labels.REJECTED },
      ],
    },
  ]);
  const list = useList(path, { status: 'PENDING', ...filters.query });
  return (
    <SettingsPage
      tab="/settings/sender-names"
      description="Names that accounts of this server want to send SMS from. People believe a name that they know: approve it if the account may use it."
    >
      <Listing
        one="name"
        label="Sender names"
        list={list}
        columns={columnsWith(setRejected)}
        filters={filters}
        always
        rowHeight={60}
        icon={IconTag}
        none="No name waits for approval."
        hint="Accounts with a real SMS link register names under SMS senders; they wait here."
      />
      {rejected && <RejectDialog name={rejected} onClose={() => setRejected(null)} />}
    </SettingsPage>
  );
}
