import { ActionIcon, FileButton, Group, Loader, Select, Tooltip } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useList } from '../../api/index.ts';
import { acceptAll, acceptOf } from './upload.ts';
import { useUploads } from './use-uploads.ts';

interface MediaSelectProps {
  label: string;
  /** IMAGE, VIDEO, AUDIO, DOCUMENT or STICKER. */
  kind: string;
  value?: string;
  onChange?(uuid: string): void;
  error?: ReactNode;
  required?: boolean;
  description?: string;
}

/** An uploaded file by its id; a new one can be uploaded on the spot. */
export function MediaSelect({ kind, value = '', onChange, error, ...props }: MediaSelectProps) {
  const media = useList('/v2/chatapp/template-media/', undefined, { pageSize: 200 });
  const { uploads, add } = useUploads(({ uuid }) => onChange?.(uuid));
  const options = media.rows
    .filter(({ media_type }) => media_type === kind)
    .map(({ uuid, name, filename }) => ({ value: uuid, label: name || filename }));
  if (value && !options.some((option) => option.value === value)) options.push({ value, label: value });
  const refused = uploads.at(-1)?.problem;
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <Select
        style={{ flex: 1, minWidth: 0 }}
        data={options}
        placeholder={options.length > 0 ? 'Choose a file' : 'Nothing uploaded yet'}
        clearable
        searchable
        value={value || null}
        onChange={(uuid) => onChange?.(uuid ?? '')}
        error={error ?? refused}
        {...props}
      />
      <FileButton accept={acceptOf[kind] ?? acceptAll} onChange={(file) => file && void add([file])}>
        {(button) => (
          <Tooltip label="Upload a file">
            <ActionIcon {...button} variant="default" size={36} aria-label={`Upload: ${props.label}`}>
              {uploads.some(({ problem }) => !problem) ? <Loader size={16} /> : <IconUpload size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </FileButton>
    </Group>
  );
}
