import { Checkbox, Input, SegmentedControl, Stack, Switch, Text, TextInput } from '@mantine/core';
import { call, useList } from '../../api/index.ts';
import { ListField } from '../../parts/fields/list-field.tsx';
import { ApiForm, editing, Section } from '../../parts/index.ts';
import { DestinationFields } from './destination-fields.tsx';
import { RoutesEditor } from './routes-editor.tsx';
import {
  type Config,
  type ConfigValues,
  configBody,
  configValues,
  type DestinationValues,
  emptyDestination,
  typesOf,
} from './values.ts';
import { channelWords } from './words.ts';

export interface RoutingFormProps {
  /** The one that is changed; undefined: a new one. */
  config?: Config;
  initialValues: ConfigValues;
  onDone(config: Config): void;
  onCancel(): void;
  /** Called with the values as they change. */
  onValues?(values: ConfigValues): void;
}

/** What the other channel cannot do becomes the likeliest thing that it can. */
function onChannel<V extends Partial<ConfigValues>>(values: V, channel: ConfigValues['channel']): V {
  const types = typesOf[channel];
  const fit = (one: DestinationValues): DestinationValues =>
    types.includes(one.type) ? one : { ...one, type: types[0] ?? one.type };
  return {
    ...values,
    channel,
    routes: values.routes?.map((route) => ({ ...route, destination: fit(route.destination) })),
    fallback: values.fallback ? fit(values.fallback) : null,
  };
}

/** Creates or changes a routing config. */
export function RoutingForm({ config, initialValues, onDone, onCancel, onValues }: RoutingFormProps) {
  const numbers = useList('/v2/number/', {}, { pageSize: 200 });
  return (
    <ApiForm
      initialValues={initialValues}
      edits={editing(config, '/v2/routing-configs/{uuid}/', { uuid: config?.uuid ?? '' }, configValues)}
      draft={`routing:${config?.uuid ?? 'new'}`}
      submit={(values, ifMatch) => {
        const body = configBody(values);
        return config
          ? call('put', '/v2/routing-configs/{uuid}/', { params: { uuid: config.uuid }, body, ifMatch })
          : call('post', '/v2/routing-configs/', { body });
      }}
      button={config ? 'Save' : 'Create'}
      done={config ? 'Saved.' : 'Created.'}
      invalidates={['/v2/routing-configs/', '/v2/audio-files/']}
      onDone={onDone}
      onCancel={onCancel}
      {...(onValues && { onValues })}
    >
      {(form) => (
        <>
          <Section title="General">
            <Stack>
              <TextInput
                label="Name"
                required
                maxLength={200}
                placeholder="Front desk"
                {...form.getInputProps('name')}
              />
              <Input.Wrapper label="Channel" labelElement="div" error={form.getInputProps('channel').error}>
                <div>
                  <SegmentedControl
                    aria-label="Channel"
                    value={form.values.channel}
                    onChange={(value) => form.setValues((old) => onChannel(old, value as ConfigValues['channel']))}
                    data={(Object.keys(typesOf) as ConfigValues['channel'][]).map((value) => ({
                      value,
                      label: channelWords[value],
                    }))}
                  />
                </div>
              </Input.Wrapper>
              <ListField
                form={form}
                path="numbers"
                label="Numbers"
                description="Numbers this routing applies to. Leave empty for all numbers of the channel without their own routing."
                placeholder={form.values.numbers.length === 0 ? 'All others' : ''}
                data={numbers.rows.map(({ number }) => number)}
                maxTags={1000}
              />
              <Switch
                label="Enabled"
                description="While off, it has no effect and can be tested."
                {...form.getInputProps('enabled', { type: 'checkbox' })}
              />
            </Stack>
          </Section>
          <Section
            title="Routes"
            description="Evaluated from top to bottom. Matching routes are tried in order until one succeeds."
          >
            <RoutesEditor form={form} />
          </Section>
          <Section title="Fallback" description="Used when no route matches or none succeeds.">
            <Stack>
              <Checkbox
                label="Use a fallback"
                checked={form.values.fallback !== null}
                onChange={(event) =>
                  form.setFieldValue(
                    'fallback',
                    event.currentTarget.checked ? emptyDestination(form.values.channel) : null,
                  )
                }
              />
              {form.values.fallback ? (
                <DestinationFields form={form} at="fallback" values={form.values.fallback} />
              ) : (
                <Text size="sm" c="dimmed">
                  {form.values.channel === 'VOICE'
                    ? 'When nothing matches, the target number of the number rings. When something matched and nobody answered, that is the end.'
                    : 'What matches nothing is not sent on.'}
                </Text>
              )}
            </Stack>
          </Section>
        </>
      )}
    </ApiForm>
  );
}
