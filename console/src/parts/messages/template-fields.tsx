import { Alert, Anchor, Select, Text } from '@mantine/core';
import { Link } from 'wouter';
import { languageName } from '../fields/language.ts';
import { TemplateGaps } from '../writing/index.ts';
import { templateFor } from './draft.ts';
import type { FormProps } from './form-props.ts';
import { useDefinitions } from './use-definitions.ts';

/** A template of the number, and what goes into its gaps. */
export function TemplateFields({ form }: FormProps) {
  const { templates, find, isLoading } = useDefinitions(form.values.chatapp_number);
  const { name, language, isCode } = form.values.template;
  const definition = find(name, language);
  const known = definition && definition.language_code === language;
  const options = templates.map((template) => ({
    value: template.uuid,
    label: `${template.name}, ${languageName(template.language_code)}${template.status === 'APPROVED' ? '' : `, ${template.status.toLowerCase()}`}`,
    disabled: template.status !== 'APPROVED',
  }));
  const { error } = form.getInputProps('template.name');
  return (
    <>
      <Select
        label="Template"
        required
        searchable
        data={
          name && !known
            ? [...options, { value: name, label: `${name}, ${languageName(language)}`, disabled: false }]
            : options
        }
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
      <TemplateGaps form={form} at="template" value={form.values.template} required isCode={isCode} />
    </>
  );
}
