import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { call, type Schema } from '../../api/index.ts';
import { ApiForm, Section } from '../../parts/index.ts';

const zones = Intl.supportedValuesOf('timeZone');
const automatic = { value: '', label: 'As the browser' };

/** The name that others see, and the time zone of what the console shows. */
export const PersonForm = ({ profile }: { profile: Schema<'Profile'> }) => (
  <Section title="You">
    <ApiForm
      side
      initialValues={{ full_name: profile.full_name, time_zone: profile.time_zone ?? '' }}
      submit={({ full_name, time_zone }) =>
        call('patch', '/v2/users/me/', { body: { full_name, time_zone: time_zone || null } })
      }
      done="Saved."
      invalidates={['/v2/users/me/', '/v2/users/', '/v2/auth/session/']}
    >
      {(form) => (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Full name"
            description="Shown to the other users of the account."
            maxLength={150}
            autoComplete="name"
            {...form.getInputProps('full_name')}
          />
          <Select
            label="Time zone"
            description="Of the times in this console."
            data={[automatic, ...zones]}
            searchable
            allowDeselect={false}
            limit={100}
            {...form.getInputProps('time_zone')}
          />
        </SimpleGrid>
      )}
    </ApiForm>
  </Section>
);
