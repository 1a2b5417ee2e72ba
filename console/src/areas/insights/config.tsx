import { Anchor, Checkbox, NumberInput, Select, Stack, Switch, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { call, type Schema, useOne } from '../../api/index.ts';
import { useHere } from '../../parts/account.tsx';
import { type WeekHours, WeekHoursField } from '../../parts/hours/week-hours.tsx';
import { ApiForm, editing, Loaded, Section } from '../../parts/index.ts';
import { KeywordGroups } from './keyword-groups.tsx';

export interface ConfigValues {
  missed_call_window_minutes: number | string | null;
  reply_time_target_minutes: number | string | null;
  keyword_groups: { name: string; keywords: string[] }[];
  business_hours: WeekHours | null;
  digest: { enabled: boolean; hour: string };
}

const valuesOf = (config: Schema<'InsightsConfig'>): ConfigValues => ({
  missed_call_window_minutes: config.missed_call_window_minutes,
  reply_time_target_minutes: config.reply_time_target_minutes,
  keyword_groups: config.keyword_groups,
  business_hours: config.business_hours as WeekHours | null,
  digest: { enabled: config.digest.enabled, hour: String(config.digest.hour) },
});

/** A field that was emptied means that nobody watches. */
const minutes = (value: number | string | null): number | null =>
  value === null || value === '' ? null : Number(value);

/** What you want to be told when somebody is left waiting. */
export function InsightConfig() {
  const query = useOne('/v2/insights-config/');
  const { timeZone } = useHere();
  return (
    <Loaded query={query}>
      {(config) => (
        <ApiForm
          initialValues={valuesOf(config)}
          edits={editing(config, '/v2/insights-config/', undefined, valuesOf)}
          submit={({ digest, missed_call_window_minutes, reply_time_target_minutes, ...rest }, ifMatch) =>
            call('put', '/v2/insights-config/', {
              body: {
                ...rest,
                missed_call_window_minutes: minutes(missed_call_window_minutes),
                reply_time_target_minutes: minutes(reply_time_target_minutes),
                digest: { enabled: digest.enabled, hour: Number(digest.hour) },
              },
              ifMatch,
            })
          }
          done="Saved."
          invalidates={['/v2/insights-config/']}
        >
          {(form) => (
            <>
              <Text size="sm" c="dimmed">
                Alerts are sent to your{' '}
                <Anchor component={Link} href="/webhooks" inherit underline="always">
                  webhooks
                </Anchor>
                .
              </Text>
              <Section title="Missed calls">
                <Watched
                  form={form}
                  name="missed_call_window_minutes"
                  usual={60}
                  title="Alert when a missed call is not returned"
                  label="After"
                  description="Measured from the missed call. A later answered call from the same caller also counts as returned."
                />
              </Section>
              <Section title="Slow replies">
                <Stack>
                  <Watched
                    form={form}
                    name="reply_time_target_minutes"
                    usual={15}
                    title="Alert when a message is not answered"
                    label="After"
                    description="Chat or SMS, counted in business hours."
                  />
                  <WeekHoursField
                    label="Count only in business hours"
                    description={`In ${timeZone}. Otherwise the clock always runs.`}
                    {...form.getInputProps('business_hours')}
                  />
                </Stack>
              </Section>
              <Section title="Keywords" description="Alert when a message contains one of these words.">
                <KeywordGroups form={form} />
              </Section>
              <Section title="Daily digest">
                <Stack>
                  <Switch
                    label="Send a daily summary"
                    {...form.getInputProps('digest.enabled', { type: 'checkbox' })}
                  />
                  {form.values.digest.enabled && (
                    <Select
                      label="At"
                      description={`In ${timeZone}.`}
                      data={Array.from({ length: 24 }, (_, hour) => ({
                        value: String(hour),
                        label: `${String(hour).padStart(2, '0')}:00`,
                      }))}
                      allowDeselect={false}
                      maw={200}
                      {...form.getInputProps('digest.hour')}
                    />
                  )}
                </Stack>
              </Section>
            </>
          )}
        </ApiForm>
      )}
    </Loaded>
  );
}

interface WatchedProps {
  form: UseFormReturnType<ConfigValues>;
  name: 'missed_call_window_minutes' | 'reply_time_target_minutes';
  usual: number;
  title: string;
  label: string;
  description: ReactNode;
}

/** A time that is watched, or not at all. */
const Watched = ({ form, name, usual, title, label, description }: WatchedProps) => (
  <Stack gap="sm">
    <Checkbox
      label={title}
      checked={form.values[name] !== null}
      onChange={(event) => form.setFieldValue(name, event.currentTarget.checked ? usual : null)}
    />
    {form.values[name] !== null && (
      <NumberInput
        label={label}
        description={description}
        suffix=" minutes"
        min={1}
        max={10_080}
        maw={320}
        {...form.getInputProps(name)}
      />
    )}
  </Stack>
);
