import { Autocomplete, Card, Group, Select, Stack, Switch, Text } from '@mantine/core';
import { useList } from '../../../api/index.ts';
import { goesOn } from '../../../parts/intros/chain-form.ts';
import type { FormProps } from './form-props.ts';
import { SecondsInput } from './seconds-input.tsx';
import { SmsFields } from './sms-fields.tsx';

const strategies = [
  { value: 'ROUND_ROBIN', label: 'One after the other' },
  { value: 'LEAST_RECENT', label: 'Whoever was asked the longest ago' },
];

/** What happens when a notification fails or nobody reacts to it. */
export function ChainFields({ form }: FormProps) {
  const { notify_type: type, by_sms, by_agents } = form.values;
  return (
    <Card bg="transparent">
      <Stack>
        <div>
          <Text fw={600} size="sm">
            If it fails or nobody reacts
          </Text>
          <Text size="xs" c="dimmed">
            A reaction is a tap on the link or a button, or a message to your number. It ends the chain.
          </Text>
        </div>
        <SecondsInput
          form={form}
          at="notify_reminder"
          label="Remind after seconds"
          description="Without a reaction, whoever was notified is reminded once. 0: never."
        />
        {type === 'CHATAPP' && (
          <Switch
            label="Then notify the agent by SMS"
            checked={by_sms}
            onChange={(event) => form.setFieldValue('by_sms', event.currentTarget.checked)}
          />
        )}
        {type === 'CHATAPP' && by_sms && <SmsFields form={form} />}
        <Switch
          label="Then notify agents with a skill"
          description="Those who are at work, each once, ten at most."
          checked={by_agents}
          onChange={(event) => form.setFieldValue('by_agents', event.currentTarget.checked)}
        />
        {by_agents && <SkillFields form={form} />}
        {goesOn(form.values) && (
          <SecondsInput
            form={form}
            at="notify_timeout"
            label="Go on after seconds"
            description="Without a reaction, the next is notified. 0: only when a notification has failed."
          />
        )}
      </Stack>
    </Card>
  );
}

function SkillFields({ form }: FormProps) {
  const agents = useList('/v2/agent-configs/', {}, { pageSize: 200 });
  const skills = [...new Set(agents.rows.flatMap((agent) => agent.skills))].sort();
  return (
    <Group align="flex-start" gap="sm">
      <Autocomplete
        label="Skill"
        placeholder="sales"
        data={skills}
        required
        style={{ flex: '1 1 10rem' }}
        {...form.getInputProps('notify_agents.skill')}
      />
      <Select
        label="Whose turn it is"
        data={strategies}
        allowDeselect={false}
        style={{ flex: '1 1 12rem' }}
        {...form.getInputProps('notify_agents.strategy')}
      />
    </Group>
  );
}
