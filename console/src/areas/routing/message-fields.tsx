import { Group, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useList } from '../../api/index.ts';
import { ListField } from '../../parts/fields/list-field.tsx';
import { NumberSelect } from '../../parts/fields/number-select.tsx';
import { useNames } from './use-names.ts';
import type { ConfigValues, DestinationValues } from './values.ts';

interface MessageFieldsProps {
  form: UseFormReturnType<ConfigValues>;
  at: string;
  values: DestinationValues;
}

const filledIn = 'Filled in: {{from}}, {{text}} and {{number}}. Empty: “{{from}}: {{text}}”.';

/** An SMS or a chat message to a number or an agent. */
export function MessageFields({ form, at, values }: MessageFieldsProps) {
  const names = useNames();
  const props = (name: string) => form.getInputProps(`${at}.${name}`);
  const isChat = values.type === 'CHATAPP';
  return (
    <Stack gap="sm">
      {isChat ? (
        <SenderSelect {...props('chatapp_number')} />
      ) : (
        <NumberSelect
          label="From"
          description="One of your numbers, or a registered name."
          capability="SMS"
          required
          {...props('from')}
        />
      )}
      <Group align="flex-end" gap="sm">
        <SegmentedControl
          aria-label="To an agent, or to a number"
          value={values.who === 'to' ? 'to' : 'agent'}
          onChange={(value) => form.setFieldValue(`${at}.who`, value as never)}
          data={[
            { value: 'agent', label: 'To an agent' },
            { value: 'to', label: 'To a number' },
          ]}
        />
        {values.who === 'to' ? (
          <TextInput label="Number" type="tel" required style={{ flex: '1 1 12rem' }} {...props('to')} />
        ) : (
          <Select
            label="Agent"
            data={names.agents}
            placeholder={names.agents.length > 0 ? 'Choose an agent' : 'There is no agent yet'}
            searchable
            required
            style={{ flex: '1 1 12rem' }}
            {...props('agent')}
          />
        )}
      </Group>
      {isChat && (
        <SegmentedControl
          aria-label="A text, or a template"
          value={values.content}
          onChange={(value) => form.setFieldValue(`${at}.content`, value as never)}
          data={[
            { value: 'text', label: 'Text' },
            { value: 'template', label: 'Template' },
          ]}
          style={{ alignSelf: 'flex-start' }}
        />
      )}
      {isChat && values.content === 'template' ? (
        <>
          <Group grow align="flex-start">
            <TextInput label="Template" required {...props('template.template_name')} />
            <TextInput label="Language" placeholder="en" {...props('template.language_code')} />
          </Group>
          <ListField
            form={form}
            path={`${at}.template.parameters`}
            label="Parameters of its body"
            description="In order. {{from}}, {{text}} and {{number}} are filled in."
            maxTags={20}
            allowDuplicates
          />
        </>
      ) : (
        <Textarea
          label="Text"
          description={filledIn}
          placeholder="{{from}}: {{text}}"
          autosize
          minRows={2}
          maxLength={1000}
          {...props('text')}
        />
      )}
    </Stack>
  );
}

function SenderSelect(props: { value?: string }) {
  const accounts = useList('/v2/chatapp/accounts/', {}, { pageSize: 200 });
  const numbers = accounts.rows.map(({ chatapp_number }) => chatapp_number);
  const data = [...new Set([...numbers, ...(props.value ? [props.value] : [])])];
  return (
    <Select
      label="From"
      description="Which of your chat-app numbers sends it."
      data={data}
      searchable
      required
      {...props}
    />
  );
}
