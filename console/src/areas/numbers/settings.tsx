import { Anchor, JsonInput, MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import { Link } from 'wouter';
import { call, type Schema, useList } from '../../api/index.ts';
import { notAnObject, objectOf, valuesOf } from '../../parts/fields/number-values.ts';
import { ApiForm, editing, May, Section } from '../../parts/index.ts';
import { FeatureFields } from './feature-fields.tsx';

/** What happens when somebody calls or writes to the number. */
export function NumberSettings({ number }: { number: Schema<'StoredNumber'> }) {
  const webhooks = useList('/v2/number/webhooks/', {}, { pageSize: 200 });
  const names = [...new Set([...webhooks.rows.map(({ name }) => name), ...number.webhooks])];
  const hint = names.length > 0 ? 'Choose webhooks' : 'There is no number webhook yet';
  return (
    <ApiForm
      initialValues={valuesOf(number)}
      edits={editing(number, '/v2/number/{number}/', { number: number.number }, valuesOf)}
      draft={`number:${number.number}`}
      validate={{ meta: notAnObject }}
      submit={({ meta, ...rest }, ifMatch) =>
        call('patch', '/v2/number/{number}/', {
          params: { number: number.number },
          body: { ...rest, meta: objectOf(meta) ?? {} },
          ifMatch,
        })
      }
      done="Saved. Applies to the next call."
      invalidates={['/v2/number/', '/v2/audio-files/', '/v2/logs/raw-numbers/']}
    >
      {(form) => (
        <>
          <Section title="Call forwarding" description={<Routed number={number.number} />}>
            <TextInput
              label="Target number"
              description="Rings on incoming calls. Leave empty to use routing only."
              type="tel"
              placeholder="+44 7700 900123"
              {...form.getInputProps('target_number')}
            />
          </Section>
          <Section title="Features" description="In the order in which callers encounter them.">
            <FeatureFields form={form} />
          </Section>
          <Section title="Webhooks">
            <Stack>
              <MultiSelect
                label="Webhooks"
                description="Receive events about calls and SMS to this number."
                placeholder={form.values.webhooks.length > 0 ? '' : hint}
                data={names}
                searchable
                clearable
                {...form.getInputProps('webhooks')}
              />
              <Text size="sm">
                <Anchor component={Link} href="/webhooks">
                  Manage webhooks
                </Anchor>
              </Text>
              <JsonInput
                label="Metadata"
                description="Your own JSON object, returned by the API."
                placeholder='{"branch": "York"}'
                autosize
                minRows={2}
                formatOnBlur
                {...form.getInputProps('meta')}
              />
            </Stack>
          </Section>
        </>
      )}
    </ApiForm>
  );
}

/** Which routing configs decide for it, if any does. */
function Routed({ number }: { number: string }) {
  const configs = useList('/v2/routing-configs/', { number });
  if (configs.isLoading) return null;
  if (configs.rows.length === 0) {
    return (
      <>
        No routing applies to this number.{' '}
        <May scope="routing:write">
          <Anchor
            component={Link}
            href={`/routing/new?number=${encodeURIComponent(number)}`}
            inherit
            underline="always"
          >
            Create one
          </Anchor>{' '}
          to decide by hours, callers or digits.
        </May>
      </>
    );
  }
  return (
    <>
      Routing decides before the target number does:{' '}
      {configs.rows.map(({ uuid, name, channel }, index) => (
        <span key={uuid}>
          {index > 0 && ', '}
          <Anchor component={Link} href={`/routing/${uuid}`} inherit underline="always">
            {name} ({channel})
          </Anchor>
        </span>
      ))}
      .
    </>
  );
}
