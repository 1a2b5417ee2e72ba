import { SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Schema } from '../../api/index.ts';

type NotifyTemplate = NonNullable<Schema<'AgentConfig'>['template']>;

export interface NotifyValues {
  template_name: string;
  language_code: string;
  parameters: string[];
}

export const notifyValues = (template: NotifyTemplate | null | undefined): NotifyValues => ({
  template_name: template?.template_name ?? '',
  language_code: template?.language_code ?? '',
  parameters: template?.parameters ?? [],
});

/** Without a name there is no template. */
export const notifyTemplateOf = ({ template_name, language_code, parameters }: NotifyValues): NotifyTemplate | null =>
  template_name.trim() === ''
    ? null
    : { template_name, ...(language_code !== '' && { language_code }), ...(parameters.length > 0 && { parameters }) };

interface NotifyTemplateFieldsProps<V> {
  form: UseFormReturnType<V>;
  /** Where in the form its values are. */
  path: string;
  /** What happens where it is empty. */
  empty: string;
}

/** The template that tells somebody of the account what a person wrote. */
export const NotifyTemplateFields = <V,>({ form, path, empty }: NotifyTemplateFieldsProps<V>) => (
  <SimpleGrid cols={{ base: 1, sm: 3 }}>
    <TextInput
      label="Template"
      description={`Template name. ${empty}`}
      maxLength={512}
      {...form.getInputProps(`${path}.template_name`)}
    />
    <TextInput
      label="Language"
      description="Leave empty for the default."
      placeholder="en_GB"
      maxLength={20}
      {...form.getInputProps(`${path}.language_code`)}
    />
    <TagsInput
      label="Body variables"
      description="{{from}}, {{text}} and {{number}} are filled in. Press Enter after each."
      maxTags={20}
      allowDuplicates
      {...form.getInputProps(`${path}.parameters`)}
    />
  </SimpleGrid>
);
