import { Autocomplete, Select, TextInput } from '@mantine/core';
import { useList } from '../../api/index.ts';
import type { PartProps } from './interactive-fields.tsx';
import { PlaceholderInput } from './placeholder-input.tsx';

const actions = [
  { value: '', label: 'As the flow says' },
  { value: 'navigate', label: 'Open a screen' },
  { value: 'data_exchange', label: 'Ask your endpoint for the first screen' },
];

/** Which flow the lead fills in, and how it opens. Its answers become variables. */
export function FlowFields({ form, at, value }: PartProps) {
  const number = form.values.chatapp_number;
  const flows = useList('/v2/chatapp/flows/', number ? { chatapp_number: number } : {}, { pageSize: 200 });
  const names = [...new Set(flows.rows.map(({ name }) => name))];
  const { flow_id, flow_action } = value.action.parameters;
  const path = `${at}.action.parameters`;
  const chosen = form.getInputProps(`${path}.flow_action`);
  return (
    <>
      {flow_id ? (
        <TextInput
          label="Id of the flow"
          description="Clear it to choose a flow by its name."
          {...form.getInputProps(`${path}.flow_id`)}
        />
      ) : (
        <Autocomplete
          label="Flow"
          description="Answers fill the variables that have the names of its fields."
          placeholder="The name of the flow"
          data={names}
          {...form.getInputProps(`${path}.flow_name`)}
        />
      )}
      <PlaceholderInput label="Words on the button" line maxLength={30} {...form.getInputProps(`${path}.flow_cta`)} />
      <Select label="How it opens" data={actions} allowDeselect={false} {...chosen} value={flow_action} />
      {flow_action === 'navigate' && (
        <TextInput label="First screen" placeholder="QUESTIONS" {...form.getInputProps(`${path}.screen`)} />
      )}
    </>
  );
}
