import { Group, JsonInput, NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { useOne } from '../../../../api/index.ts';
import { useHere } from '../../../../parts/account.tsx';
import { Section } from '../../../../parts/index.ts';
import type { StepProps } from './step-props.ts';

/** When it begins, how fast it goes, and when nobody is written to. */
export function StepSchedule({ form }: StepProps) {
  const { timeZone } = useHere();
  const account = useOne('/v2/account/');
  const quiet = account.data?.quiet_hours;
  const { when, quiet: kind } = form.values;
  return (
    <Stack>
      <Section title="Start">
        <Stack>
          <Radio.Group aria-label="Start" {...form.getInputProps('when')}>
            <Stack gap="xs">
              <Radio value="now" label="At launch" />
              <Radio
                value="later"
                label="At a set time"
                description="You still have to launch it; it then waits until this time."
              />
            </Stack>
          </Radio.Group>
          {when === 'later' && (
            <TextInput
              type="datetime-local"
              label="Starts at"
              description={`Time of ${timeZone}`}
              required
              maw="18rem"
              {...form.getInputProps('send_at')}
            />
          )}
        </Stack>
      </Section>
      <Section title="Pace">
        <NumberInput
          label="Maximum messages per second"
          description="Leave empty for the sender’s limit."
          placeholder="Sender’s limit"
          min={1}
          max={1000}
          allowDecimal={false}
          maw="18rem"
          {...form.getInputProps('rate_per_second')}
        />
      </Section>
      <Section
        title="Quiet hours"
        description="In the recipient’s time zone. Messages due in these hours are sent when they end."
      >
        <Stack>
          <Radio.Group aria-label="Quiet hours" {...form.getInputProps('quiet')}>
            <Stack gap="xs">
              <Radio
                value="account"
                label="Account default"
                description={quiet ? `${quiet.start} to ${quiet.end}` : 'The account has none.'}
              />
              <Radio value="own" label="Custom" />
              <Radio value="none" label="None" description="Messages may arrive at night." />
            </Stack>
          </Radio.Group>
          {kind === 'own' && (
            <Group align="flex-start">
              <TextInput type="time" label="From" {...form.getInputProps('quiet_start')} />
              <TextInput type="time" label="To" {...form.getInputProps('quiet_end')} />
            </Group>
          )}
        </Stack>
      </Section>
      <Section title="Metadata" description="Stored with the campaign and its messages, for your own systems.">
        <JsonInput
          aria-label="Metadata"
          placeholder='{"owner": "Ada"}'
          autosize
          minRows={2}
          {...form.getInputProps('meta_data')}
        />
      </Section>
    </Stack>
  );
}
