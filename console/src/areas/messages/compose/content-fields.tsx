import { Checkbox, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { optionsOf } from '../../../parts/index.ts';
import { Later } from '../../../parts/loading/later.tsx';
import { pagesOf } from '../../../parts/loading/lazily.ts';
import type { FormProps } from '../../../parts/messages/form-props.ts';
import { kindNames } from '../../../parts/writing/index.ts';

const { TemplateFields } = pagesOf(() => import('../../../parts/messages/template-fields.tsx'));
const { InteractiveFields } = pagesOf(() => import('../../../parts/writing/interactive-fields.tsx'));
const { ContactsFields } = pagesOf(() => import('./contacts-fields.tsx'));
const { LocationFields } = pagesOf(() => import('./location-fields.tsx'));
const { MediaFields } = pagesOf(() => import('./media-fields.tsx'));

const kinds = optionsOf(kindNames);

/** The fields of the chosen type. */
export const ContentFields = ({ form }: FormProps) => (
  <Later>
    <Fields form={form} />
  </Later>
);

function Fields({ form }: FormProps) {
  switch (form.values.type) {
    case 'TEXT':
      return (
        <>
          <Textarea
            label="Text"
            required
            autosize
            minRows={4}
            maxLength={4096}
            description="*bold*, _italic_, ~struck~ and `code` are shown as such."
            {...form.getInputProps('text.body')}
          />
          <Checkbox
            label="Show a preview of the first link"
            {...form.getInputProps('text.preview_url', { type: 'checkbox' })}
          />
        </>
      );
    case 'TEMPLATE':
      return <TemplateFields form={form} />;
    case 'INTERACTIVE':
      return (
        <>
          <Select label="Kind" data={kinds} allowDeselect={false} {...form.getInputProps('interactive.type')} />
          <InteractiveFields
            form={form}
            at="interactive"
            value={form.values.interactive}
            sender={form.values.chatapp_number}
            required
          />
        </>
      );
    case 'LOCATION':
      return <LocationFields form={form} />;
    case 'CONTACTS':
      return <ContactsFields form={form} />;
    case 'REACTION':
      return (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Id of the message"
            required
            description="A message of the same conversation."
            {...form.getInputProps('reaction.message_uuid')}
          />
          <TextInput
            label="Emoji"
            description="Empty takes the reaction back."
            maxLength={40}
            {...form.getInputProps('reaction.emoji')}
          />
        </SimpleGrid>
      );
    default:
      return <MediaFields form={form} />;
  }
}
