import { Select, Stack, TextInput } from '@mantine/core';
import { ButtonsFields } from './buttons-fields.tsx';
import { FileFields } from './file-fields.tsx';
import { FlowFields } from './flow-fields.tsx';
import { ListFields } from './list-fields.tsx';
import { WordsInput } from './words-input.tsx';
import type { InteractiveProps } from './writing-form.ts';

const textHeaders = [
  { value: 'none', label: 'None' },
  { value: 'text', label: 'Text' },
];
const allHeaders = [
  ...textHeaders,
  { value: 'image', label: 'Image' },
  { value: 'video', label: 'Video' },
  { value: 'document', label: 'Document' },
];

interface InteractiveFieldsProps extends InteractiveProps {
  /** The number that sends it, whose flows are offered. */
  sender: string;
  /** Where a link button may lead. */
  linkHint?: string;
}

/** The fields of an interactive message: header, body, footer, and what one can tap. */
export function InteractiveFields({ sender, linkHint, ...part }: InteractiveFieldsProps) {
  const { form, at, value, required = false } = part;
  const { type, header } = value;
  const isPlain = type === 'location_request_message';
  const headers = type === 'list' || type === 'flow' ? textHeaders : allHeaders;
  const shown = headers.some((one) => one.value === header.type) ? header.type : 'none';
  return (
    <Stack>
      {!isPlain && (
        <Select
          label="Header"
          data={headers}
          allowDeselect={false}
          value={shown}
          onChange={(kind) => kind && form.setFieldValue(`${at}.header.type`, kind as never)}
        />
      )}
      {!isPlain && shown === 'text' && (
        <WordsInput label="Text of the header" line maxLength={60} {...form.getInputProps(`${at}.header.text`)} />
      )}
      {!isPlain && shown !== 'text' && shown !== 'none' && (
        <FileFields form={form} at={`${at}.header`} kind={shown} uuid={header.media_uuid} />
      )}
      {!isPlain && shown === 'document' && (
        <TextInput
          label="File name that the person sees"
          maxLength={240}
          {...form.getInputProps(`${at}.header.filename`)}
        />
      )}
      <WordsInput
        label="Message"
        required={required}
        minRows={3}
        maxLength={type === 'list' ? 4096 : 1024}
        {...form.getInputProps(`${at}.body.text`)}
      />
      {!isPlain && (
        <WordsInput
          label="Footer"
          line
          maxLength={60}
          description="Small print below the message. Optional."
          {...form.getInputProps(`${at}.footer.text`)}
        />
      )}
      {type === 'button' && <ButtonsFields {...part} />}
      {type === 'list' && <ListFields {...part} />}
      {type === 'flow' && <FlowFields {...part} sender={sender} />}
      {type === 'cta_url' && (
        <>
          <WordsInput
            label="Button text"
            line
            required={required}
            maxLength={20}
            {...form.getInputProps(`${at}.action.parameters.display_text`)}
          />
          <WordsInput
            label="URL"
            line
            required={required}
            placeholder="https://…"
            description={linkHint}
            {...form.getInputProps(`${at}.action.parameters.url`)}
          />
        </>
      )}
    </Stack>
  );
}
