import { ActionIcon, Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { call, invalidate, type Row, useAct, useList } from '../../api/index.ts';
import { type Column, confirm, DataTable, EmptyState, Page, Section, Time } from '../../parts/index.ts';
import { useSideForm } from '../audio/use-side-form.ts';

type Item = Row<'/v2/sms-senders/'>;

/** The names that SMS may be sent from. */
export function SenderNames() {
  const list = useList('/v2/sms-senders/');
  const remove = useAct('delete', '/v2/sms-senders/{uuid}/', { invalidates: ['/v2/sms-senders/'], done: 'Deleted.' });
  const ask = async ({ uuid, sender }: Item) => {
    const text = 'New SMS can no longer be sent from this name. Those that wait are still sent.';
    if (await confirm({ title: `Delete the name “${sender}”?`, text, button: 'Delete' }))
      remove.mutate({ params: { uuid } });
  };
  const columns: Column<Item>[] = [
    { title: 'Name', important: true, width: 'minmax(10rem, 1fr)', render: (row) => row.sender },
    { title: 'Registered', important: true, width: '9rem', render: (row) => <Time at={row.created} /> },
    {
      title: 'Delete',
      important: true,
      width: '5rem',
      align: 'right',
      render: (row) => (
        <ActionIcon variant="subtle" color="red" aria-label={`Delete ${row.sender}`} onClick={() => void ask(row)}>
          <IconTrash size={16} />
        </ActionIcon>
      ),
    },
  ];
  return (
    <Page
      title="Sender names"
      trail={[{ title: 'SMS', href: '/sms' }]}
      description="Names that people see in place of a number. Whether they do is up to their network; they cannot answer a name."
    >
      <Stack>
        <Section title="Register a name">
          <NewName />
        </Section>
        <div>
          <DataTable
            label="Sender names"
            list={list}
            columns={columns}
            empty={<EmptyState title="No names yet." hint="Register one above, or send from your numbers." />}
          />
        </div>
      </Stack>
    </Page>
  );
}

function NewName() {
  const client = useQueryClient();
  const { form, onSubmit, pending, problem } = useSideForm({
    initialValues: { sender: '' },
    submit: (body) => call('post', '/v2/sms-senders/', { body }),
    onDone: () => {
      form.reset();
      void invalidate(client, ['/v2/sms-senders/']);
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      {problem && (
        <Alert color="red" role="alert" mb="sm">
          {problem}
        </Alert>
      )}
      <Group align="flex-end">
        <TextInput
          label="Name"
          description="Up to 11 letters, digits, spaces, &, . or -"
          maxLength={11}
          required
          style={{ flex: '1 1 12rem' }}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          {...form.getInputProps('sender')}
        />
        <Button type="submit" loading={pending}>
          Register
        </Button>
      </Group>
    </form>
  );
}
