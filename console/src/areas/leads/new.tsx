import { Autocomplete, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import { call, useList } from '../../api/index.ts';
import { AddRow, ApiForm, Page, RemoveRow, Section } from '../../parts/index.ts';
import { nameOf } from '../../parts/intros/name.ts';

const initialValues = {
  chatapp_number: '',
  phone_number: '',
  name: '',
  source: '',
  chat_intro: '',
  data: [] as { name: string; value: string }[],
};

/** Submits a lead by hand. With an intro, the person's session starts. */
export function NewLead() {
  const [, navigate] = useLocation();
  const accounts = useList('/v2/chatapp/accounts/', undefined, { pageSize: 200 });
  const intros = useList('/v2/chatapp/chat-intros/', undefined, { pageSize: 200 });
  const submit = ({ chat_intro, data, ...rest }: typeof initialValues) => {
    const given = data.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]);
    return call('post', '/v2/chatapp/leads/', {
      body: { ...rest, chat_intro: chat_intro || null, data: Object.fromEntries(given) },
    });
  };
  return (
    <Page
      title="New lead"
      description="Saves a person who showed interest. Nothing is sent unless you choose an intro, which starts immediately."
      trail={[{ title: 'Leads', href: '/leads' }]}
    >
      <Section>
        <ApiForm
          initialValues={initialValues}
          submit={submit}
          button="Create"
          done="Created."
          invalidates={['/v2/chatapp/leads/']}
          onDone={(lead) => navigate(`/leads/${encodeURIComponent(lead.phone_number)}`)}
          onCancel={() => navigate('/leads')}
        >
          {(form) => (
            <Stack maw="40rem">
              <TextInput
                label="Lead’s number"
                type="tel"
                placeholder="+44…"
                required
                {...form.getInputProps('phone_number')}
              />
              <TextInput label="Name" {...form.getInputProps('name')} />
              <Autocomplete
                label="Your chat-app number"
                description="The number of the business that the lead belongs to."
                required
                data={[...new Set(accounts.rows.map(({ chatapp_number }) => chatapp_number))]}
                {...form.getInputProps('chatapp_number')}
              />
              <TextInput
                label="Source"
                description="For example a form, a trade fair or a portal."
                {...form.getInputProps('source')}
              />
              <Select
                label="Intro"
                description="It starts for this person as if they had written: they get the reply and the agent is notified. If they have not written within a day, they get templates only."
                clearable
                searchable
                data={intros.rows.map((intro) => ({ value: intro.uuid, label: nameOf(intro) }))}
                {...form.getInputProps('chat_intro')}
                onChange={(value) => form.setFieldValue('chat_intro', value ?? '')}
                value={form.values.chat_intro || null}
              />
              <div>
                <Text size="sm" fw={600} mb={4}>
                  Other data
                </Text>
                <Text size="xs" c="dimmed" mb={4}>
                  With an intro, these values fill its placeholders.
                </Text>
                <Stack gap="xs">
                  {form.values.data.map((_, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else to be told by
                    <Group key={index} gap="xs" wrap="nowrap">
                      <TextInput
                        aria-label={`Name ${index + 1}`}
                        placeholder="budget"
                        style={{ flex: 2 }}
                        {...form.getInputProps(`data.${index}.name`)}
                      />
                      <TextInput
                        aria-label={`Value ${index + 1}`}
                        placeholder="700000"
                        style={{ flex: 3 }}
                        {...form.getInputProps(`data.${index}.value`)}
                      />
                      <RemoveRow what={`row ${index + 1}`} onClick={() => form.removeListItem('data', index)} />
                    </Group>
                  ))}
                  <AddRow onClick={() => form.insertListItem('data', { name: '', value: '' })}>Add a row</AddRow>
                </Stack>
              </div>
            </Stack>
          )}
        </ApiForm>
      </Section>
    </Page>
  );
}
