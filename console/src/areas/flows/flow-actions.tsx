import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEdit, IconSend, IconTrash } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { type Schema, useAct } from '../../api/index.ts';
import { screensOf } from '../../parts/flows/flow-definition.ts';
import { confirm } from '../../parts/index.ts';
import { lateDialog } from '../../parts/loading/late-dialog.tsx';
import { compact, useSenders } from '../../parts/messages/use-senders.ts';

type Flow = Schema<'FlowDetail'>;

const RenameDialog = lateDialog(async () => (await import('./rename-dialog.tsx')).RenameDialog);

/** Edit, delete, publish, deprecate: the last two one way only. */
export function FlowActions({ flow }: { flow: Flow }) {
  const { uuid, name, status, wanted_status, validation_errors } = flow;
  const [opened, { open, close }] = useDisclosure();
  const [, navigate] = useLocation();
  const remove = useAct('delete', '/v2/chatapp/flows/{uuid}/', {
    invalidates: ['/v2/chatapp/flows/'],
    done: 'Deleted.',
    onDone: () => navigate('/flows'),
  });
  const askToRemove = async () => {
    const question = { title: `Delete “${name}”?`, text: 'The draft goes here and on the platform.', button: 'Delete' };
    if (await confirm(question)) remove.mutate({ params: { uuid } });
  };
  const { find } = useSenders();
  // One that was drawn in the platform's own editor has its screens there. The sandbox has no editor.
  const isEmpty =
    flow.definition === null
      ? find(flow.chatapp_number)?.carrier === 'sandbox'
      : screensOf(flow.definition).length === 0;
  const change = useAct('patch', '/v2/chatapp/flows/{uuid}/', {
    invalidates: ['/v2/chatapp/flows/', '/v2/events/'],
    done: 'Submitted to the platform.',
  });
  const move = async (to: 'PUBLISHED' | 'DEPRECATED') => {
    const question =
      to === 'PUBLISHED'
        ? {
            title: `Publish “${name}”?`,
            text: 'You can then send it, but no longer change its screens.',
            button: 'Publish',
            harmless: true,
          }
        : {
            title: `Deprecate “${name}”?`,
            text: 'It can no longer be sent or opened. This cannot be undone.',
            button: 'Deprecate',
          };
    if (await confirm(question)) change.mutate({ params: { uuid }, body: { status: to } });
  };
  if (status === 'DEPRECATED' || !change.may) return null;
  return (
    <>
      {status === 'DRAFT' && wanted_status === null ? (
        <>
          <Button
            variant="default"
            leftSection={<IconTrash size={16} />}
            loading={remove.isPending}
            onClick={() => void askToRemove()}
          >
            Delete
          </Button>
          <Button component={Link} href={`/flows/${uuid}/edit`} variant="default" leftSection={<IconEdit size={16} />}>
            Edit
          </Button>
        </>
      ) : (
        <Button variant="default" leftSection={<IconEdit size={16} />} onClick={open}>
          Rename
        </Button>
      )}
      {status === 'DRAFT' ? (
        <Button
          loading={change.isPending}
          disabled={validation_errors.length > 0 || wanted_status !== null || isEmpty}
          title={isEmpty ? 'Add a screen first.' : undefined}
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
      <RenameDialog flow={flow} opened={opened} close={close} />
    </>
  );
}
