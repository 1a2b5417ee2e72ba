import { Modal, Select, Stack, TextInput } from '@mantine/core';
import { call, type Schema } from '../../api/index.ts';
import { ApiForm, editing } from '../../parts/index.ts';
import { categories } from './words.ts';

type Flow = Schema<'FlowDetail'>;

const namesOf = ({ name, category }: Flow) => ({ name, category });

interface RenameDialogProps {
  flow: Flow;
  opened: boolean;
  close(): void;
}

/** Another name or category; the screens stay. */
export function RenameDialog({ flow, opened, close }: RenameDialogProps) {
  const { uuid } = flow;
  return (
    <Modal opened={opened} onClose={close} title="Rename the flow">
      <ApiForm
        initialValues={namesOf(flow)}
        edits={editing(flow, '/v2/chatapp/flows/{uuid}/', { uuid }, namesOf)}
        submit={(body, ifMatch) => call('patch', '/v2/chatapp/flows/{uuid}/', { params: { uuid }, body, ifMatch })}
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
  );
}
