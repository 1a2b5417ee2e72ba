import { Modal, Textarea, TextInput } from '@mantine/core';
import { call, type Schema } from '../../api/index.ts';
import { ApiForm, editing } from '../../parts/index.ts';

type List = Schema<'ContactList'>;

interface RenameListProps {
  list: List;
  opened: boolean;
  onClose(): void;
}

const valuesOf = ({ name, description }: List) => ({ name, description });

/** Changes the name and description of a list. */
export const RenameList = ({ list, opened, onClose }: RenameListProps) => (
  <Modal opened={opened} onClose={onClose} title="Rename the list">
    <ApiForm
      initialValues={valuesOf(list)}
      edits={editing(list, '/v2/lists/{uuid}/', { uuid: list.uuid }, valuesOf)}
      submit={(body, ifMatch) => call('patch', '/v2/lists/{uuid}/', { params: { uuid: list.uuid }, body, ifMatch })}
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
