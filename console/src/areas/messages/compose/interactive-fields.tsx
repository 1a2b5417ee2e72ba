import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { kindNames } from '../../intros/interactive-form.ts';
import { ButtonsFields } from './buttons-fields.tsx';
import { FlowFields } from './flow-fields.tsx';
import type { FormProps } from './form-props.ts';
import { ListFields } from './list-fields.tsx';
import { FileFields } from './media-fields.tsx';

const kinds = Object.entries(kindNames).map(([value, label]) => ({ value, label }));
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

/** Header, body, footer, and what one can tap. */
export function InteractiveFields({ form }: FormProps) {
  const { type, header } = form.values.interactive;
  const isPlain = type === 'location_request_message';
  const headers = type === 'list' || type === 'flow' ? textHeaders : allHeaders;
  const shown = headers.some((one) => one.value === header.type) ? header.type : 'none';
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select label="Kind" data={kinds} allowDeselect={false} {...form.getInputProps('interactive.type')} />
        {!isPlain && (
          <Select
            label="Header"
            data={headers}
            allowDeselect={false}
            value={shown}
            onChange={(kind) => kind && form.setFieldValue('interactive.header.type', kind as never)}
          />
        )}
      </SimpleGrid>
      {!isPlain && shown === 'text' && (
        <TextInput label="Text of the header" maxLength={60} {...form.getInputProps('interactive.header.text')} />
      )}
      {!isPlain && shown !== 'text' && shown !== 'none' && (
        <FileFields form={form} at="interactive.header" kind={shown.toUpperCase()} uuid={header.media_uuid} />
      )}
      <Textarea
        label="Text"
        required
        autosize
        minRows={3}
        maxLength={type === 'list' ? 4096 : 1024}
        {...form.getInputProps('interactive.body.text')}
      />
      {!isPlain && (
        <TextInput
          label="Footer"
          maxLength={60}
          description="Small print below the text; may be left empty."
          {...form.getInputProps('interactive.footer.text')}
        />
      )}
      {type === 'button' && <ButtonsFields form={form} />}
      {type === 'list' && <ListFields form={form} />}
      {type === 'flow' && <FlowFields form={form} />}
      {type === 'cta_url' && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Words on the button"
            required
            maxLength={20}
            {...form.getInputProps('interactive.action.parameters.display_text')}
          />
          <TextInput
            label="Address that it opens"
            required
            placeholder="https://…"
            {...form.getInputProps('interactive.action.parameters.url')}
          />
        </SimpleGrid>
      )}
    </>
  );
}
