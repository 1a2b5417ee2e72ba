import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { MediaSelect } from '../../media/media-select.tsx';
import type { FormProps } from './form-props.ts';

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

interface FileFieldsProps extends FormProps {
  /** The object that has `url` and `media_uuid`. */
  at: string;
  kind: string;
  uuid: string;
}

/** One of two: an uploaded file, or an address. */
export const FileFields = ({ form, at, kind, uuid }: FileFieldsProps) => (
  <SimpleGrid type="container" cols={{ base: 1, '30rem': 2 }}>
    <MediaSelect label={`Uploaded ${kind.toLowerCase()}`} kind={kind} {...form.getInputProps(`${at}.media_uuid`)} />
    <TextInput
      label="Or the address of the file"
      placeholder="https://…"
      disabled={uuid !== ''}
      {...form.getInputProps(`${at}.url`)}
    />
  </SimpleGrid>
);
