import { Autocomplete, Modal, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { call, type Schema } from '../../api/index.ts';
import { ApiForm, editing, optionsOf } from '../../parts/index.ts';
import { leadStatuses, useOwners } from './words.ts';

export type Lead = Schema<'LeadRecord'>;

interface EditLeadProps {
  record: Lead;
  opened: boolean;
  onClose(): void;
}

/** Changes what those who work on a lead write about it. */
export const EditLead = ({ record, opened, onClose }: EditLeadProps) => (
  <Modal opened={opened} onClose={onClose} title="Edit the lead" size="md">
    <LeadForm record={record} onClose={onClose} />
  </Modal>
);

const valuesOf = ({ status, owner, notes, name, source }: Lead) => ({ status, owner, notes, name, source });

function LeadForm({ record, onClose }: Omit<EditLeadProps, 'opened'>) {
  const owners = useOwners();
  const { uuid } = record;
  return (
    <ApiForm
      initialValues={valuesOf(record)}
      edits={editing(record, '/v2/chatapp/leads/{uuid}/', { uuid }, valuesOf)}
      submit={(body, ifMatch) => call('patch', '/v2/chatapp/leads/{uuid}/', { params: { uuid }, body, ifMatch })}
      done="Saved."
      invalidates={['/v2/chatapp/leads/']}
      onDone={onClose}
      onCancel={onClose}
      side
    >
      {(form) => (
        <Stack>
          <Select
            label="Status"
            data={optionsOf(leadStatuses)}
            allowDeselect={false}
            data-autofocus
            {...form.getInputProps('status')}
          />
          <Autocomplete
            label="Owner"
            description="A name, an email address or an agent."
            data={owners}
            maxLength={255}
            {...form.getInputProps('owner')}
          />
          <Textarea
            label="Notes"
            autosize
            minRows={3}
            maxRows={12}
            maxLength={10_000}
            {...form.getInputProps('notes')}
          />
          <TextInput label="Name" maxLength={255} {...form.getInputProps('name')} />
          <TextInput label="Source" maxLength={255} {...form.getInputProps('source')} />
        </Stack>
      )}
    </ApiForm>
  );
}
