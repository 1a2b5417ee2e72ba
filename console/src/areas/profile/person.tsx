import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { call, type Schema } from '../../api/index.ts';
import { TimeZoneSelect } from '../../parts/hours/time-zone-select.tsx';
import { ApiForm, Section } from '../../parts/index.ts';
import { regionOptions } from './regions.ts';

/** The name that others see, and how the console shows times and numbers. */
export const PersonForm = ({ profile }: { profile: Schema<'Profile'> }) => (
  <Section title="You">
    <ApiForm
      side
      initialValues={{
        full_name: profile.full_name,
        time_zone: profile.time_zone,
        language_code: profile.language_code ?? '',
      }}
      submit={({ language_code, ...rest }) =>
        call('patch', '/v2/users/me/', { body: { ...rest, language_code: language_code || null } })
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
          <TimeZoneSelect
            description="In which times are shown to you. Reports and schedules keep that of the account."
            {...form.getInputProps('time_zone')}
          />
          <Select
            label="Dates and numbers"
            description="As they are written there; from the next time you load the console."
            data={regionOptions(form.values.language_code)}
            searchable
            allowDeselect={false}
            {...form.getInputProps('language_code')}
          />
        </SimpleGrid>
      )}
    </ApiForm>
  </Section>
);
