import { Alert, Anchor, JsonInput, Select, Text, TextInput } from '@mantine/core';
import { Link } from 'wouter';
import { type ButtonKind, FileFields } from '../../../parts/writing/index.ts';
import { useDefinitions } from '../use-definitions.ts';
import { templateFor } from './draft.ts';
import type { FormProps } from './form-props.ts';

const buttonLabels: Record<ButtonKind, string> = {
  url: 'end of the address',
  quick_reply: 'payload, may be left empty',
  flow: 'flow',
  copy_code: 'code to copy',
};

/** A template of the number, and what goes into its gaps. */
export function TemplateFields({ form }: FormProps) {
  const { templates, find, isLoading } = useDefinitions(form.values.chatapp_number);
  const { name, language, isCode, header, body, buttons, rest } = form.values.template;
  const definition = find(name, language);
  const known = definition && definition.language_code === language;
  const options = templates.map((template) => ({
    value: template.uuid,
    label: `${template.name} (${template.language_code})${template.status === 'APPROVED' ? '' : `, ${template.status.toLowerCase()}`}`,
    disabled: template.status !== 'APPROVED',
  }));
  const { error } = form.getInputProps('template.name');
  return (
    <>
      <Select
        label="Template"
        required
        searchable
        data={name && !known ? [...options, { value: name, label: `${name} (${language})`, disabled: false }] : options}
        value={known ? definition.uuid : name || null}
        placeholder={isLoading ? 'Loading…' : options.length > 0 ? 'Choose a template' : 'This number has none yet'}
        error={error}
        onChange={(uuid) => {
          const chosen = templates.find((template) => template.uuid === uuid);
          if (chosen) form.setFieldValue('template', templateFor(chosen));
        }}
      />
      {!isLoading && options.length === 0 && (
        <Text size="sm" c="dimmed">
          <Anchor component={Link} href="/templates/new" size="sm" underline="always">
            Create a template
          </Anchor>{' '}
          first; the platform approves it before it can be sent.
        </Text>
      )}
      {known && definition.status !== 'APPROVED' && (
        <Alert color="orange">
          Only approved templates can be sent. This one is {definition.status.toLowerCase()}.
        </Alert>
      )}
      {header.kind === 'text' && (
        <TextInput label="Header" required maxLength={60} {...form.getInputProps('template.header.text')} />
      )}
      {header.kind !== 'text' && header.kind !== 'none' && (
        <FileFields form={form} at="template.header" kind={header.kind.toUpperCase()} uuid={header.media_uuid} />
      )}
      {body.map(({ parameter_name }, index) => (
        <TextInput
          // biome-ignore lint/suspicious/noArrayIndexKey: gaps are told by their position
          key={index}
          label={isCode ? 'Code' : parameter_name ? `Body, ${parameter_name}` : `Body, gap ${index + 1}`}
          required
          maxLength={isCode ? 15 : 1024}
          {...form.getInputProps(`template.body.${index}.text`)}
        />
      ))}
      {buttons.map(({ index, sub_type }, position) =>
        sub_type === 'flow' ? null : (
          <TextInput
            key={index}
            label={`Button ${index + 1}, ${buttonLabels[sub_type]}`}
            required={sub_type !== 'quick_reply'}
            {...form.getInputProps(`template.buttons.${position}.text`)}
          />
        ),
      )}
      {rest !== '' && (
        <JsonInput
          label="Other components"
          description="Carousels, offers, locations, currencies: as the API takes them."
          autosize
          minRows={3}
          {...form.getInputProps('template.rest')}
        />
      )}
    </>
  );
}
