import { Select, SimpleGrid } from '@mantine/core';
import { useList } from '../../api/index.ts';
import type { FormProps } from './form-props.ts';
import { PlaceholderInput } from './placeholder-input.tsx';

interface MediaFieldProps extends FormProps {
  /** The object that has `url` and `media_uuid`. */
  at: string;
  kind: string;
  uuid: string;
}

/** A picture, film or document: one that was uploaded, or an address. */
export function MediaField({ form, at, kind, uuid }: MediaFieldProps) {
  const media = useList('/v2/chatapp/template-media/', undefined, { pageSize: 200 });
  const fitting = media.rows.filter(({ media_type }) => media_type === kind.toUpperCase());
  const options = fitting.map((one) => ({ value: one.uuid, label: one.name || one.filename }));
  if (uuid && !options.some(({ value }) => value === uuid)) options.push({ value: uuid, label: uuid });
  const { onChange, ...chosen } = form.getInputProps(`${at}.media_uuid`);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={`Uploaded ${kind}`}
        placeholder={options.length > 0 ? 'Choose a file' : 'Nothing uploaded yet'}
        data={options}
        clearable
        searchable
        {...chosen}
        value={uuid || null}
        onChange={(value) => onChange(value ?? '')}
      />
      <PlaceholderInput
        label={`Or the address of ${kind === 'image' ? 'an image' : `a ${kind}`}`}
        line
        placeholder="https://…"
        disabled={uuid !== ''}
        {...form.getInputProps(`${at}.url`)}
      />
    </SimpleGrid>
  );
}
