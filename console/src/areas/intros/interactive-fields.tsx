import { Select, Stack, TextInput } from '@mantine/core';
import { ButtonsFields } from './buttons-fields.tsx';
import { FlowFields } from './flow-fields.tsx';
import type { FormProps } from './form-props.ts';
import type { InteractiveForm } from './interactive-form.ts';
import { ListFields } from './list-fields.tsx';
import { MediaField } from './media-field.tsx';
import { PlaceholderInput } from './placeholder-input.tsx';

export interface PartProps extends FormProps {
  /** Where in the form the interactive object is. */
  at: string;
  value: InteractiveForm;
}

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

/** The fields of an interactive message: header, body, footer, and what one can tap. */
export function InteractiveFields({ form, at, value }: PartProps) {
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
        <PlaceholderInput label="Text of the header" line maxLength={60} {...form.getInputProps(`${at}.header.text`)} />
      )}
      {!isPlain && shown !== 'text' && shown !== 'none' && (
        <MediaField form={form} at={`${at}.header`} kind={shown} uuid={header.media_uuid} />
      )}
      {!isPlain && shown === 'document' && (
        <TextInput
          label="File name that the lead sees"
          maxLength={240}
          {...form.getInputProps(`${at}.header.filename`)}
        />
      )}
      <PlaceholderInput
        label="Message"
        minRows={3}
        maxLength={type === 'list' ? 4096 : 1024}
        {...form.getInputProps(`${at}.body.text`)}
      />
      {!isPlain && (
        <PlaceholderInput
          label="Footer"
          line
          maxLength={60}
          description="Small print below the message; may be left empty."
          {...form.getInputProps(`${at}.footer.text`)}
        />
      )}
      {type === 'button' && <ButtonsFields form={form} at={at} value={value} />}
      {type === 'list' && <ListFields form={form} at={at} value={value} />}
      {type === 'flow' && <FlowFields form={form} at={at} value={value} />}
      {type === 'cta_url' && (
        <>
          <PlaceholderInput
            label="Words on the button"
            line
            maxLength={20}
            {...form.getInputProps(`${at}.action.parameters.display_text`)}
          />
          <PlaceholderInput
            label="Address that it opens"
            line
            description="{{intro_chat_link_aparty}} leads to the agent's chat, if direct connect is set below."
            {...form.getInputProps(`${at}.action.parameters.url`)}
          />
        </>
      )}
    </Stack>
  );
}
