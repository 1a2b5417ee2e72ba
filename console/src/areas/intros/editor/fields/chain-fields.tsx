import { Autocomplete, Card, Group, Select, Stack, Switch, Text } from '@mantine/core';
import { useList } from '../../../../api/index.ts';
import { goesOn } from '../../../../parts/intros/chain-form.ts';
import type { FormProps } from '../form-props.ts';
import { SecondsInput } from './seconds-input.tsx';
import { SmsFields } from './sms-fields.tsx';

const strategies = [
  { value: 'ROUND_ROBIN', label: 'One after another' },
  { value: 'LEAST_RECENT', label: 'Least recently assigned' },
];

/** What happens when a notification fails or nobody reacts to it. */
export function ChainFields({ form }: FormProps) {
  const { notify_type: type, by_sms, by_agents } = form.values;
  return (
    <Card bg="transparent">
      <Stack>
        <div>
          <Text fw={600} size="sm">
            If it fails or no one responds
          </Text>
          <Text size="xs" c="dimmed">
            A tap on the link or a button, or a message to your number, counts as a response and ends the chain.
          </Text>
        </div>
        <SecondsInput
          form={form}
          at="notify_reminder"
          label="Remind after (seconds)"
          description="One reminder if there is no response. 0 turns it off."
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
          description="Available agents, one at a time, up to ten."
          checked={by_agents}
          onChange={(event) => form.setFieldValue('by_agents', event.currentTarget.checked)}
        />
        {by_agents && <SkillFields form={form} />}
        {goesOn(form.values) && (
          <SecondsInput
            form={form}
            at="notify_timeout"
            label="Escalate after (seconds)"
            description="Notifies the next agent if there is no response. 0: only after a failed notification."
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
        label="Order"
        data={strategies}
        allowDeselect={false}
        style={{ flex: '1 1 12rem' }}
        {...form.getInputProps('notify_agents.strategy')}
      />
    </Group>
  );
}
