import { Button, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEdit, IconSend } from '@tabler/icons-react';
import { Link } from 'wouter';
import { call, type Schema, useAct } from '../../api/index.ts';
import { ApiForm, confirm } from '../../parts/index.ts';
import { compact } from '../../parts/messages/use-senders.ts';
import { categories } from './words.ts';

type Flow = Schema<'Flow'>;

/** Rename, publish, deprecate: one way only. */
export function FlowActions({ flow }: { flow: Flow }) {
  const { uuid, name, status, wanted_status, validation_errors } = flow;
  const [opened, { open, close }] = useDisclosure();
  const change = useAct('patch', '/v2/chatapp/flows/{uuid}/', {
    invalidates: ['/v2/chatapp/flows/', '/v2/events/'],
    done: 'The platform is being told.',
  });
  const move = async (to: 'PUBLISHED' | 'DEPRECATED') => {
    const question =
      to === 'PUBLISHED'
        ? {
            title: `Publish “${name}”?`,
            text: 'It can then be sent, and its screens cannot be changed any more.',
            button: 'Publish',
            harmless: true,
          }
        : {
            title: `Deprecate “${name}”?`,
            text: 'It can be sent no more, and people who have it cannot open it. There is no way back.',
            button: 'Deprecate',
          };
    if (await confirm(question)) change.mutate({ params: { uuid }, body: { status: to } });
  };
  if (status === 'DEPRECATED' || !change.may) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconEdit size={16} />} onClick={open}>
        Rename
      </Button>
      {status === 'DRAFT' ? (
        <Button
          loading={change.isPending}
          disabled={validation_errors.length > 0 || wanted_status !== null}
          onClick={() => void move('PUBLISHED')}
        >
          Publish
        </Button>
      ) : (
        <Button
          color="red"
          variant="light"
          loading={change.isPending}
          disabled={wanted_status === 'DEPRECATED'}
          onClick={() => void move('DEPRECATED')}
        >
          Deprecate
        </Button>
      )}
      {status === 'PUBLISHED' && (
        <Button
          component={Link}
          href={`/messages/new?${new URLSearchParams({ type: 'INTERACTIVE', from: compact(flow.chatapp_number), flow: name })}`}
          leftSection={<IconSend size={16} />}
        >
          Send
        </Button>
      )}
      <Modal opened={opened} onClose={close} title="Rename the flow">
        <ApiForm
          initialValues={{ name, category: flow.category }}
          submit={(body) => call('patch', '/v2/chatapp/flows/{uuid}/', { params: { uuid }, body })}
          done="Saved."
          invalidates={['/v2/chatapp/flows/']}
          onDone={close}
          onCancel={close}
        >
          {(form) => (
            <Stack>
              <TextInput label="Name" required maxLength={200} {...form.getInputProps('name')} />
              <Select label="Category" data={categories} allowDeselect={false} {...form.getInputProps('category')} />
            </Stack>
          )}
        </ApiForm>
      </Modal>
    </>
  );
}
