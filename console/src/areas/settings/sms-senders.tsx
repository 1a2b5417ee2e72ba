import { Button, TextInput } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useState } from 'react';
import { call, type Row, type Schema, useAct, useList } from '../../api/index.ts';
import { ApiForm, type Column, confirm, DataTable, EmptyState, May, Section, Time } from '../../parts/index.ts';
import { SettingsPage } from './settings-page.tsx';

const states = { PENDING: 'Waits for approval', APPROVED: 'Approved', REJECTED: 'Rejected' } as const;

const columns: Column<Row<'/v2/sms-senders/'>>[] = [
  { title: 'Name', important: true, render: (row) => row.sender },
  {
    title: 'State',
    important: true,
    width: '10rem',
    render: (row) => <span title={row.reason ?? ''}>{states[row.status]}</span>,
  },
  { title: 'Created', important: true, width: '9rem', render: (row) => <Time at={row.created} /> },
  { title: 'Delete', important: true, width: '7rem', render: (row) => <DeleteSender sender={row} /> },
];

function DeleteSender({ sender: { uuid, sender } }: { sender: Schema<'SmsSender'> }) {
  const remove = useAct('delete', '/v2/sms-senders/{uuid}/', { invalidates: ['/v2/sms-senders/'], done: 'Deleted.' });
  const ask = async () => {
    const text = 'You can no longer send SMS from it. You can register it again.';
    if (await confirm({ title: `Delete the name “${sender}”?`, text, button: 'Delete' }))
      remove.mutate({ params: { uuid } });
  };
  if (!remove.may) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={remove.isPending}
      onClick={() => void ask()}
      aria-label={`Delete ${sender}`}
    >
      Delete
    </Button>
  );
}

/** Names that SMS are sent from in place of a number. */
export function SmsSenders() {
  const list = useList('/v2/sms-senders/');
  // A form that was sent begins anew.
  const [added, setAdded] = useState(0);
  return (
    <SettingsPage
      tab="/settings/sms-senders"
      description="Names shown instead of a number, where the network supports it. Recipients cannot reply to a name."
    >
      <May>
        <Section title="Register a name">
          <ApiForm
            key={added}
            initialValues={{ sender: '' }}
            submit={(body) => call('post', '/v2/sms-senders/', { body })}
            button="Register"
            done="Registered."
            invalidates={['/v2/sms-senders/']}
            onDone={() => setAdded(added + 1)}
          >
            {(form) => (
              <TextInput
                label="Name"
                description="Up to 11 letters, digits, spaces, dots, dashes and &; at least one letter."
                placeholder="Orchard"
                required
                maxLength={11}
                maw="24rem"
                {...form.getInputProps('sender')}
              />
            )}
          </ApiForm>
        </Section>
      </May>
      <div style={{ height: 16 }} />
      <DataTable
        label="SMS senders"
        list={list}
        columns={columns}
        maxHeight="30rem"
        empty={<EmptyState icon={IconTag} title="No names yet." hint="Without one, SMS are sent from your numbers." />}
      />
    </SettingsPage>
  );
}
