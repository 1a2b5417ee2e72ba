import { SimpleGrid } from '@mantine/core';
import { MediaSelect } from './media-select.tsx';
import { WordsInput } from './words-input.tsx';
import type { WritingForm } from './writing-form.ts';

interface FileFieldsProps {
  form: Pick<WritingForm, 'getInputProps'>;
  /** The object that has `url` and `media_uuid`. */
  at: string;
  /** `image`, `VIDEO`, … */
  kind: string;
  uuid: string;
}

/** One of two: an uploaded file, or an address. */
export const FileFields = ({ form, at, kind, uuid }: FileFieldsProps) => (
  <SimpleGrid type="container" cols={{ base: 1, '30rem': 2 }}>
    <MediaSelect
      label={`Uploaded ${kind.toLowerCase()}`}
      kind={kind.toUpperCase()}
      {...form.getInputProps(`${at}.media_uuid`)}
    />
    <WordsInput
      label="Or the address of the file"
      line
      placeholder="https://…"
      disabled={uuid !== ''}
      {...form.getInputProps(`${at}.url`)}
    />
  </SimpleGrid>
);
