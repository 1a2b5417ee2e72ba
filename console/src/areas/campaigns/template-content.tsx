import { Alert, Anchor, JsonInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { Link } from 'wouter';
import { useList } from '../../api/index.ts';
import { type Definition, PlaceholderInput, shapeFor, type TemplateForm } from '../../parts/writing/index.ts';
import { useDefinitions } from '../messages/use-definitions.ts';
import type { StepProps } from './step-props.ts';

const buttonLabels = {
  url: 'end of the address',
  quick_reply: 'payload (may be left empty)',
  flow: '',
  copy_code: 'code to copy',
};

/** A template of the sender, and what goes into its gaps. */
export function TemplateContent({ form }: StepProps) {
  const { sender, template } = form.values;
  const templates = useDefinitions(sender);
  const definition = templates.find(template.name);
  const shape = useEffectEvent(() => {
    const shaped = withOwnFile(shapeFor(form.values.template, definition), definition);
    if (JSON.stringify(shaped) === JSON.stringify(form.values.template)) return;
    // Making room for the gaps is no change that somebody would want to be asked about.
    const untouched = !form.isDirty();
    form.setFieldValue('template', shaped);
    if (untouched) form.resetDirty({ ...form.values, template: shaped });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another template is chosen, or it has come
  useEffect(() => shape(), [definition?.name, definition?.components.length]);
  const names = [...new Set([...templates.names, ...(template.name ? [template.name] : [])])];
  const { header, body, buttons } = template;
  return (
    <Stack>
      <Select
        label="Template"
        description="Templates of the sender. Only approved ones can be sent."
        required
        searchable
        data={names.map((name) => ({ value: name, label: labelOf(name, templates.find(name)?.status) }))}
        nothingFoundMessage="No such template."
        {...form.getInputProps('template.name')}
        value={template.name || null}
        onChange={(name) => form.setFieldValue('template.name', name ?? '')}
      />
      {templates.names.length === 0 && (
        <Alert color="gray">
          This sender has no templates.{' '}
          <Anchor underline="always" component={Link} href="/templates">
            Make one
          </Anchor>
          .
        </Alert>
      )}
      {definition && definition.status !== 'APPROVED' && (
        <Alert color="orange">This template is {definition.status.toLowerCase()}; it cannot be sent now.</Alert>
      )}
      {template.name && (
        <TextInput
          label="Language of the template"
          description="Empty: that of the sender’s account."
          placeholder={definition?.language_code ?? 'en_GB'}
          maw="18rem"
          {...form.getInputProps('language_code')}
        />
      )}
      {header.kind === 'text' && (
        <PlaceholderInput label="Header" line {...form.getInputProps('template.header.text')} />
      )}
      {header.kind !== 'text' && header.kind !== 'none' && <HeaderFile form={form} kind={header.kind} />}
      {body.map(({ parameter_name }, index) => (
        <PlaceholderInput
          // biome-ignore lint/suspicious/noArrayIndexKey: gaps are told by their position
          key={index}
          label={parameter_name ? `Body, ${parameter_name}` : `Body, gap ${index + 1}`}
          placeholder="Text, or {{ to choose a placeholder"
          line
          maxLength={1024}
          {...form.getInputProps(`template.body.${index}.text`)}
        />
      ))}
      {buttons.map(({ index, sub_type }, position) =>
        sub_type === 'flow' ? null : (
          <PlaceholderInput
            key={index}
            label={`Button ${index + 1}, ${buttonLabels[sub_type]}`}
            line
            {...form.getInputProps(`template.buttons.${position}.text`)}
          />
        ),
      )}
      {template.rest !== '' && (
        <JsonInput
          label="Other components"
          description="Carousels, offers, locations, currencies: as the API takes them."
          autosize
          minRows={3}
          {...form.getInputProps('template.rest')}
        />
      )}
    </Stack>
  );
}

/** The file that the template was submitted with, where no other is chosen. */
function withOwnFile(template: TemplateForm, definition: Definition | undefined): TemplateForm {
  const { header } = template;
  const own = definition?.components.find((part) => 'media_uuid' in part) as { media_uuid?: string } | undefined;
  const isEmpty = ['image', 'video', 'document'].includes(header.kind) && !header.media_uuid && !header.url;
  return isEmpty && own?.media_uuid ? { ...template, header: { ...header, media_uuid: own.media_uuid } } : template;
}

const labelOf = (name: string, status: string | undefined): string =>
  status && status !== 'APPROVED' ? `${name} (${status.toLowerCase()})` : name;

/** The picture, film or document of the header: one that was uploaded, or an address. */
function HeaderFile({ form, kind }: StepProps & { kind: 'image' | 'video' | 'document' }) {
  const media = useList('/v2/chatapp/template-media/', undefined, { pageSize: 200 });
  const { media_uuid: uuid } = form.values.template.header;
  const options = media.rows
    .filter(({ media_type }) => media_type === kind.toUpperCase())
    .map((one) => ({ value: one.uuid, label: one.name || one.filename }));
  if (uuid && !options.some(({ value }) => value === uuid)) options.push({ value: uuid, label: uuid });
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={`Uploaded ${kind}`}
        placeholder={options.length > 0 ? 'Choose a file' : 'Nothing uploaded yet'}
        data={options}
        clearable
        searchable
        value={uuid || null}
        onChange={(value) => form.setFieldValue('template.header.media_uuid', value ?? '')}
      />
      <PlaceholderInput
        label={`Or the address of the ${kind}`}
        line
        placeholder="https://…"
        disabled={uuid !== ''}
        {...form.getInputProps('template.header.url')}
      />
    </SimpleGrid>
  );
}
