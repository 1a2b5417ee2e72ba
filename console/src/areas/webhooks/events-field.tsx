import { Alert, Checkbox, Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { type Schema, useOne } from '../../api/index.ts';

type EventType = Schema<'WebhookType'>;

const groupNames: Record<string, string> = {
  chatapp: 'Chat app',
  chat_intro: 'Chat intros',
  optout: 'Opt-outs',
  campaign: 'Campaigns',
  job: 'Jobs',
  insight: 'Insights',
  report: 'Reports',
  webhook: 'Webhooks',
  number: 'Numbers',
  call: 'Calls',
  sms: 'SMS',
  test: 'Tests',
};

interface EventsFieldProps {
  heardBy: EventType['heard_by'];
  value: string[];
  onChange(events: string[]): void;
  error?: string | undefined;
}

/** Which events an endpoint hears of: all, or chosen ones in groups. */
export function EventsField({ heardBy, value, onChange, error }: EventsFieldProps) {
  const types = useOne('/v2/webhook-types/');
  const all = value.includes('*');
  // A test is sent to whoever asks for it, chosen or not.
  const offered = (types.data?.results ?? []).filter(
    ({ name, heard_by }) => heard_by === heardBy && (name !== 'test.ping' || value.includes(name)),
  );
  const groups = Object.entries(Object.groupBy(offered, ({ name }) => name.split('.')[0]!));
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Events"
        value={all ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? ['*'] : offered.map(({ name }) => name))}
      >
        <Group mt={4}>
          <Radio value="all" label="All, including future event types" />
          <Radio value="some" label="Selected events" />
        </Group>
      </Radio.Group>
      {!all && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          {groups.map(([prefix, members = []]) => (
            <EventGroup key={prefix} prefix={prefix} members={members} value={value} onChange={onChange} />
          ))}
        </SimpleGrid>
      )}
      {types.error && <Alert color="red">Could not load the event types. Reload the page.</Alert>}
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  );
}

interface EventGroupProps {
  prefix: string;
  members: EventType[];
  value: string[];
  onChange(events: string[]): void;
}

function EventGroup({ prefix, members, value, onChange }: EventGroupProps) {
  const names: string[] = members.map(({ name }) => name);
  const chosen = names.filter((name) => value.includes(name));
  const rest = value.filter((name) => !names.includes(name));
  const set = (name: string, on: boolean) => onChange(on ? [...value, name] : value.filter((other) => other !== name));
  return (
    <Stack gap={8}>
      <Checkbox
        fw={600}
        label={groupNames[prefix] ?? prefix}
        checked={chosen.length === names.length}
        indeterminate={chosen.length > 0 && chosen.length < names.length}
        onChange={(event) => onChange(event.currentTarget.checked ? [...rest, ...names] : rest)}
      />
      {members.map(({ name, description }) => (
        <Checkbox
          key={name}
          ml="lg"
          size="sm"
          label={description}
          description={name}
          checked={value.includes(name)}
          onChange={(event) => set(name, event.currentTarget.checked)}
        />
      ))}
    </Stack>
  );
}
