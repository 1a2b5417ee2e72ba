import { Anchor, JsonInput, MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import { Link } from 'wouter';
import { call, type Schema, useList } from '../../api/index.ts';
import { notAnObject, objectOf, valuesOf } from '../../parts/fields/number-values.ts';
import { ApiForm, editing, Section } from '../../parts/index.ts';
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
      done="Saved. The next call follows it."
      invalidates={['/v2/number/', '/v2/audio-files/', '/v2/logs/raw-numbers/']}
    >
      {(form) => (
        <>
          <Section title="Where calls go" description={<Routed number={number.number} />}>
            <TextInput
              label="Target number"
              description="Rings when somebody calls. Empty: nobody, unless routing says so."
              type="tel"
              placeholder="+44 7700 900123"
              {...form.getInputProps('target_number')}
            />
          </Section>
          <Section title="Features" description="In the order in which a caller meets them.">
            <FeatureFields form={form} />
          </Section>
          <Section title="Who is told">
            <Stack>
              <MultiSelect
                label="Webhooks"
                description="They hear of the number’s calls and SMS."
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
                label="Your own data"
                description="An object of JSON that the API returns as it came."
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
        No routing config names this number.{' '}
        <Anchor component={Link} href={`/routing/new?number=${encodeURIComponent(number)}`} inherit underline="always">
          Create one
        </Anchor>{' '}
        to decide by hours, callers or digits.
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
