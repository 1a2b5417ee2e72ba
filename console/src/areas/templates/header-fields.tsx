import { Select, TextInput } from '@mantine/core';
import { gapsIn } from '../../parts/bubble/index.ts';
import { MediaSelect } from '../../parts/writing/index.ts';
import type { FormProps } from './form-props.ts';

const formats = [
  { value: 'NONE', label: 'None' },
  { value: 'TEXT', label: 'Text' },
  { value: 'IMAGE', label: 'Image' },
  { value: 'VIDEO', label: 'Video' },
  { value: 'DOCUMENT', label: 'Document' },
  { value: 'LOCATION', label: 'Location' },
];

/** What stands above the body. */
export function HeaderFields({ form }: FormProps) {
  const { format, text } = form.values.header;
  const isFile = format === 'IMAGE' || format === 'VIDEO' || format === 'DOCUMENT';
  return (
    <>
      <Select label="Header" data={formats} allowDeselect={false} {...form.getInputProps('header.format')} />
      {format === 'TEXT' && (
        <>
          <TextInput
            label="Text of the header"
            required
            maxLength={60}
            description="Up to 60 characters, with one variable at most."
            {...form.getInputProps('header.text')}
          />
          {gapsIn(text).length > 0 && (
            <TextInput
              label={`Example for {{${gapsIn(text)[0]}}}`}
              required
              {...form.getInputProps('header.example')}
            />
          )}
        </>
      )}
      {isFile && (
        <MediaSelect
          label="Sample file"
          kind={format}
          required
          description="The reviewer sees it; each message may have another one."
          {...form.getInputProps('header.media_uuid')}
        />
      )}
    </>
  );
}
