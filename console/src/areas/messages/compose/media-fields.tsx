import { Textarea, TextInput } from '@mantine/core';
import type { FormProps } from '../../../parts/messages/form-props.ts';
import { FileFields } from '../../../parts/writing/index.ts';

/** A file that was uploaded, or its address; with a caption where the type has one. */
export function MediaFields({ form }: FormProps) {
  const { type } = form.values;
  return (
    <>
      <FileFields form={form} at="media" kind={type} uuid={form.values.media.media_uuid} />
      {type !== 'AUDIO' && type !== 'STICKER' && (
        <Textarea label="Caption" autosize maxLength={1024} {...form.getInputProps('media.caption')} />
      )}
      {type === 'DOCUMENT' && (
        <TextInput
          label="File name that the person sees"
          maxLength={240}
          placeholder="prices.pdf"
          {...form.getInputProps('media.filename')}
        />
      )}
    </>
  );
}
