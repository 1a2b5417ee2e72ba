import { Button, Group, Select, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { urlOf, useList } from '../../api/index.ts';
import { lateDialog } from '../loading/late-dialog.tsx';
import { May } from '../may.tsx';
import { MiniPlayer } from './player.tsx';

const UploadDialog = lateDialog(async () => (await import('./upload-dialog.tsx')).UploadDialog);

interface AudioFieldProps {
  label: string;
  description?: string;
  /** Name or uuid; empty: none. As `form.getInputProps` gives them. */
  value?: string | undefined;
  onChange?: (value: string) => void;
  error?: ReactNode;
  required?: boolean;
}

/** Chooses an audio file by its name, plays it, and uploads one in place. */
export function AudioField({ label, description, value = '', onChange, error, required = false }: AudioFieldProps) {
  const files = useList('/v2/audio-files/', {}, { pageSize: 200 });
  const [opened, { open, close }] = useDisclosure();
  const chosen = files.rows.find(({ name, uuid }) => name === value || uuid === value);
  const missing = value !== '' && !chosen && !files.isLoading;
  const options = files.rows.map(({ name, uuid }) => ({ value: uuid === value ? uuid : name, label: name }));
  return (
    <div>
      <Group align="flex-end" gap="sm">
        <Select
          label={label}
          {...(description && { description })}
          placeholder="No audio"
          data={missing ? [{ value, label: value }, ...options] : options}
          value={value || null}
          onChange={(name) => onChange?.(name ?? '')}
          error={error}
          required={required}
          searchable
          clearable
          nothingFoundMessage="No such audio file."
          style={{ flex: '1 1 14rem' }}
        />
        {chosen && (
          <MiniPlayer
            key={chosen.uuid}
            label={chosen.name}
            seconds={chosen.duration_seconds}
            src={urlOf('/v2/audio-files/{uuid}/content/', { uuid: chosen.uuid }, { format: 'wav' })}
          />
        )}
        <May scope="voice:write">
          <Button variant="default" leftSection={<IconUpload size={16} />} onClick={open}>
            Upload
          </Button>
        </May>
      </Group>
      {missing && (
        <Text size="sm" c="var(--mantine-color-orange-light-color)" mt={4}>
          There is no audio file “{value}”: it would be skipped.
        </Text>
      )}
      <UploadDialog opened={opened} close={close} onDone={(file) => onChange?.(file.name)} />
    </div>
  );
}
