import { Alert, Anchor, Select, Stack, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { Link } from 'wouter';
import { useDefinitions } from '../../../../parts/messages/use-definitions.ts';
import { type Definition, shapeFor, type TemplateForm, TemplateGaps } from '../../../../parts/writing/index.ts';
import type { StepProps } from '../steps/step-props.ts';

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
  return (
    <Stack>
      <Select
        label="Template"
        description="Templates of the sender. Only approved ones can be sent."
        required
        searchable
        data={names.map((name) => ({ value: name, label: labelOf(name, templates.find(name)?.status) }))}
        nothingFoundMessage="No template found."
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
          description="Leave empty for the sender’s default."
          placeholder={definition?.language_code ?? 'en_GB'}
          maw="18rem"
          {...form.getInputProps('language_code')}
        />
      )}
      <TemplateGaps form={form} at="template" value={template} />
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
