import { Modal, Textarea, TextInput } from '@mantine/core';
import { call, type Schema } from '../../api/index.ts';
import { ApiForm } from '../../parts/index.ts';

interface RenameListProps {
  list: Schema<'ContactList'>;
  opened: boolean;
  onClose(): void;
}

/** Changes the name and description of a list. */
export const RenameList = ({ list, opened, onClose }: RenameListProps) => (
  <Modal opened={opened} onClose={onClose} title="Rename the list">
    <ApiForm
      initialValues={{ name: list.name, description: list.description }}
      submit={(body) => call('patch', '/v2/lists/{uuid}/', { params: { uuid: list.uuid }, body })}
      done="Saved."
      invalidates={['/v2/lists/']}
      onDone={onClose}
      onCancel={onClose}
    >
      {(form) => (
        <>
          <TextInput label="Name" required maxLength={200} data-autofocus {...form.getInputProps('name')} />
          <Textarea label="Description" autosize minRows={2} maxLength={1000} {...form.getInputProps('description')} />
        </>
      )}
    </ApiForm>
  </Modal>
);
