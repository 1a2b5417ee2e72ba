import { Autocomplete, MultiSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import { call, type Schema, useOne } from '../../api/index.ts';
import { useHere } from '../../parts/account.tsx';
import { useAllLists } from '../../parts/fields/use-all-lists.ts';
import { ApiForm, editing, Loaded, Page, Section } from '../../parts/index.ts';
import { AttributeRows } from './attribute-rows.tsx';
import { bodyOf, checks, valuesOf } from './values.ts';

const zones = Intl.supportedValuesOf('timeZone');

/** Makes a contact. */
export function NewContact() {
  return (
    <Page title="New contact" trail={[{ title: 'Contacts', href: '/contacts' }]}>
      <ContactForm />
    </Page>
  );
}

/** Changes a contact. */
export function EditContact({ uuid }: { uuid: string }) {
  const query = useOne('/v2/contacts/{uuid}/', { uuid });
  return (
    <Loaded query={query} what="contact">
      {(contact) => (
        <Page
          title={`Edit ${contact.name || contact.phone_number}`}
          trail={[
            { title: 'Contacts', href: '/contacts' },
            { title: contact.name || contact.phone_number, href: `/contacts/${uuid}` },
          ]}
        >
          <ContactForm contact={contact} />
        </Page>
      )}
    </Loaded>
  );
}

function ContactForm({ contact }: { contact?: Schema<'Contact'> }) {
  const [, navigate] = useLocation();
  const { defaultCountry } = useHere();
  const lists = useAllLists();
  const list = new URLSearchParams(location.search).get('list');
  const initial = valuesOf(contact);
  const back = contact ? `/contacts/${contact.uuid}` : '/contacts';
  return (
    <Section>
      <ApiForm
        initialValues={!contact && list ? { ...initial, lists: [list] } : initial}
        validate={checks}
        edits={editing(contact, '/v2/contacts/{uuid}/', { uuid: contact?.uuid ?? '' }, valuesOf)}
        submit={(values, ifMatch) =>
          contact
            ? call('put', '/v2/contacts/{uuid}/', { params: { uuid: contact.uuid }, body: bodyOf(values), ifMatch })
            : call('post', '/v2/contacts/', { body: bodyOf(values) })
        }
        button={contact ? 'Save' : 'Create'}
        done={contact ? 'Saved.' : 'Created.'}
        invalidates={['/v2/contacts/', '/v2/lists/']}
        onDone={(saved) => navigate(`/contacts/${saved.uuid}`)}
        onCancel={() => navigate(back)}
      >
        {(form) => (
          <>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput
                label="Phone number"
                description={`With its country, such as +44 7700 900141. A number starting with 0 is read as a number in ${defaultCountry}.`}
                type="tel"
                required
                {...form.getInputProps('phone_number')}
              />
              <TextInput
                label="Name"
                description="Campaigns use the first word for {{ first_name }}."
                maxLength={255}
                {...form.getInputProps('name')}
              />
              <TextInput
                label="Language"
                description="Such as en_GB. Optional."
                {...form.getInputProps('language_code')}
              />
              <Autocomplete
                label="Time zone"
                description="For quiet hours. Leave empty to derive it from the number."
                placeholder="Europe/London"
                data={zones}
                limit={30}
                {...form.getInputProps('time_zone')}
              />
            </SimpleGrid>
            <MultiSelect
              label="Lists"
              data={lists.map(({ uuid, name }) => ({ value: uuid, label: name }))}
              searchable
              clearable
              nothingFoundMessage="No list found."
              {...form.getInputProps('lists')}
            />
            <Stack gap={4}>
              <Text size="sm" fw={600}>
                Attributes
              </Text>
              <Text size="xs" c="dimmed" mb={4}>
                Custom fields for campaigns, filters and segments.
              </Text>
              <AttributeRows form={form} />
            </Stack>
          </>
        )}
      </ApiForm>
    </Section>
  );
}
