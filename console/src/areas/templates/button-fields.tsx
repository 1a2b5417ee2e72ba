import { Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useList } from '../../api/index.ts';
import type { FormProps } from './form-props.ts';

/** The fields that a type of button has. */
export function ButtonFields({ form, index }: FormProps & { index: number }) {
  const { type, url } = form.values.buttons[index]!;
  const at = (name: string) => form.getInputProps(`buttons.${index}.${name}`);
  const { error } = at('type');
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {type !== 'COPY_CODE' && <TextInput label="Button text" required maxLength={25} {...at('text')} />}
        {type === 'URL' && (
          <>
            <TextInput
              label="URL"
              required
              maxLength={2000}
              placeholder="https://example.com/{{1}}"
              description="May end in {{1}}."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              {...at('url')}
            />
            {url.includes('{{') && <TextInput label="Example URL" required maxLength={2000} {...at('example')} />}
          </>
        )}
        {type === 'PHONE_NUMBER' && <TextInput label="Number" required type="tel" {...at('phone_number')} />}
        {type === 'COPY_CODE' && (
          <TextInput label="Example of a code" required maxLength={20} placeholder="SAVE20" {...at('example')} />
        )}
        {type === 'FLOW' && <Flow form={form} index={index} />}
      </SimpleGrid>
      {error && (
        <Text size="sm" c="red" mt="xs" role="alert">
          {error}
        </Text>
      )}
    </>
  );
}

function Flow({ form, index }: FormProps & { index: number }) {
  const { chatapp_number, buttons } = form.values;
  const { flow_name, flow_id } = buttons[index]!;
  const flows = useList('/v2/chatapp/flows/', { chatapp_number, status: 'PUBLISHED' }, { pageSize: 200 });
  const names = [...new Set([...flows.rows.map(({ name }) => name), ...(flow_name ? [flow_name] : [])])];
  return (
    <>
      {flow_id ? (
        <TextInput label="Id of the flow" required {...form.getInputProps(`buttons.${index}.flow_id`)} />
      ) : (
        <Select
          label="Flow"
          required
          searchable
          data={names}
          placeholder={names.length > 0 ? 'Choose a flow' : 'This number has no published flow'}
          error={form.errors[`buttons.${index}.flow_id`]}
          value={flow_name || null}
          onChange={(name) => form.setFieldValue(`buttons.${index}.flow_name`, name ?? '')}
        />
      )}
      <TextInput
        label="First screen"
        description="Its id; may be left empty."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps(`buttons.${index}.navigate_screen`)}
      />
    </>
  );
}
