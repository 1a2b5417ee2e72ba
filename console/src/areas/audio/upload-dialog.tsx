import { Alert, Button, FileInput, Group, Modal, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconMusic } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { call, invalidate, type Schema } from '../../api/index.ts';
import { useSideForm } from './use-side-form.ts';

interface UploadDialogProps {
  opened: boolean;
  close(): void;
  onDone?(file: Schema<'AudioFile'>): void;
}

/** Uploads an MP3, wherever one is wanted. */
export const UploadDialog = ({ opened, close, onDone }: UploadDialogProps) => (
  <Modal opened={opened} onClose={close} title="Upload audio">
    <UploadForm close={close} onDone={onDone} />
  </Modal>
);

function UploadForm({ close, onDone }: Pick<UploadDialogProps, 'close' | 'onDone'>) {
  const client = useQueryClient();
  const { form, onSubmit, pending, problem } = useSideForm({
    initialValues: { file: null as File | null, name: '' },
    submit: ({ file, name }) => {
      const body = new FormData();
      if (name.trim()) body.set('name', name.trim());
      if (file) body.set('file', file);
      return call('post', '/v2/audio-files/', { body });
    },
    onDone: (file) => {
      notifications.show({ message: 'Uploaded.' });
      void invalidate(client, ['/v2/audio-files/']);
      close();
      onDone?.(file);
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
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
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={pending} disabled={!form.values.file}>
            Upload
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
