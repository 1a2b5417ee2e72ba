import { FileInput, Modal, TextInput } from '@mantine/core';
import { IconMusic } from '@tabler/icons-react';
import { call, type Schema } from '../../api/index.ts';
import { ApiForm } from '../index.ts';

interface UploadDialogProps {
  opened: boolean;
  close(): void;
  onDone?(file: Schema<'AudioFile'>): void;
}

/** Uploads an MP3, wherever one is wanted. */
export const UploadDialog = ({ opened, close, onDone }: UploadDialogProps) => (
  <Modal opened={opened} onClose={close} title="Upload audio">
    <ApiForm
      side
      initialValues={{ file: null as File | null, name: '' }}
      submit={({ file, name }) => {
        const body = new FormData();
        if (name.trim()) body.set('name', name.trim());
        if (file) body.set('file', file);
        return call('post', '/v2/audio-files/', { body });
      }}
      button="Upload"
      done="Uploaded."
      invalidates={['/v2/audio-files/']}
      onDone={(file) => {
        close();
        onDone?.(file);
      }}
      onCancel={close}
    >
      {(form) => (
        <>
          <FileInput
            label="MP3 file"
            description="10 MiB and an hour at most. It is brought to telephone quality."
            placeholder="Choose a file"
            accept="audio/mpeg,.mp3"
            leftSection={<IconMusic size={16} />}
            required
            {...form.getInputProps('file')}
          />
          <TextInput
            label="Name"
            description="Numbers and routes name the file by it. Empty: the name of the file."
            placeholder="Welcome"
            maxLength={200}
            {...form.getInputProps('name')}
          />
        </>
      )}
    </ApiForm>
  </Modal>
);
