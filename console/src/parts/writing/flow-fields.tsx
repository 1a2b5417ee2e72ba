import { Autocomplete, Select, TextInput } from '@mantine/core';
import { useList } from '../../api/index.ts';
import { FlowCheck } from './flow-check.tsx';
import { WordsInput } from './words-input.tsx';
import type { InteractiveProps } from './writing-form.ts';

const actions = [
  { value: '', label: 'As the flow says' },
  { value: 'navigate', label: 'Open a screen' },
  { value: 'data_exchange', label: 'Ask your endpoint for the first screen' },
];

/** Which flow is filled in, and how it opens. */
export function FlowFields({ form, at, value, required = false, sender }: InteractiveProps & { sender: string }) {
  const flows = useList('/v2/chatapp/flows/', sender ? { chatapp_number: sender } : {}, { pageSize: 200 });
  const isOut = ({ status }: { status: string }) => Number(status === 'PUBLISHED');
  const names = flows.rows.toSorted((one, other) => isOut(other) - isOut(one)).map(({ name }) => name);
  const { flow_id, flow_name, flow_action } = value.action.parameters;
  const path = `${at}.action.parameters`;
  return (
    <>
      {flow_id ? (
        <TextInput
          label="Id of the flow"
          description="Clear it to choose a flow by its name."
          required={required}
          {...form.getInputProps(`${path}.flow_id`)}
        />
      ) : (
        <Autocomplete
          label="Flow"
          description="Those that are published come first; others cannot be sent."
          placeholder="The name of the flow"
          required={required}
          data={[...new Set(names)]}
          {...form.getInputProps(`${path}.flow_name`)}
        />
      )}
      <FlowCheck flows={flows} name={flow_name} id={flow_id} />
      <WordsInput
        label="Button text"
        line
        required={required}
        maxLength={30}
        {...form.getInputProps(`${path}.flow_cta`)}
      />
      <Select
        label="How it opens"
        data={actions}
        allowDeselect={false}
        {...form.getInputProps(`${path}.flow_action`)}
        value={flow_action}
      />
      {flow_action === 'navigate' && (
        <TextInput label="First screen" placeholder="QUESTIONS" {...form.getInputProps(`${path}.screen`)} />
      )}
    </>
  );
}
