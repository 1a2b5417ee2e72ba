import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useList } from '../../../api/index.ts';
import type { FormProps } from './form-props.ts';

const path = 'interactive.action.parameters';

/** Which flow opens, from what screen, by which words. */
export function FlowFields({ form }: FormProps) {
  const { chatapp_number, interactive } = form.values;
  const { flow_id, flow_name } = interactive.action.parameters;
  const flows = useList('/v2/chatapp/flows/', { chatapp_number, status: 'PUBLISHED' }, { pageSize: 200 });
  const names = [...new Set([...flows.rows.map(({ name }) => name), ...(flow_name ? [flow_name] : [])])];
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {flow_id ? (
        <TextInput label="Id of the flow" required {...form.getInputProps(`${path}.flow_id`)} />
      ) : (
        <Select
          label="Flow"
          required
          data={names}
          placeholder={names.length > 0 ? 'Choose a flow' : 'This number has no published flow'}
          searchable
          {...form.getInputProps(`${path}.flow_name`)}
        />
      )}
      <TextInput
        label="Words on the button"
        required
        maxLength={30}
        placeholder="Choose a time"
        {...form.getInputProps(`${path}.flow_cta`)}
      />
      <TextInput
        label="First screen"
        description="Its id; empty for the first of the flow."
        {...form.getInputProps(`${path}.screen`)}
      />
    </SimpleGrid>
  );
}
