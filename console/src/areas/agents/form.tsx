import { Checkbox, Radio, Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import { call, type Schema, useList } from '../../api/index.ts';
import { ListField } from '../../parts/fields/list-field.tsx';
import { NotifyTemplateFields, notifyTemplateOf, notifyValues } from '../../parts/fields/notify-template.tsx';
import { DateList } from '../../parts/hours/date-list.tsx';
import { fromLocal, toLocal } from '../../parts/hours/local-time.ts';
import { TimeZoneSelect } from '../../parts/hours/time-zone-select.tsx';
import { type WeekHours, WeekHoursField } from '../../parts/hours/week-hours.tsx';
import { ApiForm, editing, Section } from '../../parts/index.ts';

type Agent = Schema<'AgentConfig'>;

interface AgentFormProps {
  agent?: Agent;
  onDone(agent: Agent): void;
  onCancel(): void;
}

const valuesOf = (agent?: Agent) => ({
  name: agent?.name ?? '',
  numbers: agent?.numbers ?? [],
  ring: agent?.ring ?? ('IN_ORDER' as Agent['ring']),
  skills: agent?.skills ?? [],
  time_zone: agent?.time_zone ?? null,
  working_hours: (agent?.working_hours ?? null) as WeekHours | null,
  holidays: agent?.holidays ?? [],
  away: agent?.away ?? false,
  away_until: toLocal(agent?.away_until),
  fallback: agent?.fallback ?? null,
  template: notifyValues(agent?.template),
});

/** Creates or changes an agent. */
export function AgentForm({ agent, onDone, onCancel }: AgentFormProps) {
  const others = useList('/v2/agent-configs/', {}, { pageSize: 200 });
  const skills = [...new Set(others.rows.flatMap((one) => one.skills))].sort();
  const choices = others.rows.filter(({ uuid }) => uuid !== agent?.uuid);
  return (
    <ApiForm
      initialValues={valuesOf(agent)}
      edits={editing(agent, '/v2/agent-configs/{uuid}/', { uuid: agent?.uuid ?? '' }, valuesOf)}
      submit={({ away_until, template, ...rest }, ifMatch) => {
        const body = {
          ...rest,
          template: notifyTemplateOf(template),
          away_until: rest.away ? fromLocal(away_until) : null,
        };
        return agent
          ? call('put', '/v2/agent-configs/{uuid}/', { params: { uuid: agent.uuid }, body, ifMatch })
          : call('post', '/v2/agent-configs/', { body });
      }}
      button={agent ? 'Save' : 'Create'}
      done={agent ? 'Saved.' : 'Created.'}
      invalidates={['/v2/agent-configs/']}
      onDone={onDone}
      onCancel={onCancel}
    >
      {(form) => (
        <>
          <Section title="Who">
            <Stack>
              <TextInput label="Name" required maxLength={200} {...form.getInputProps('name')} />
              <ListField
                form={form}
                path="numbers"
                label="Numbers"
                description="Phone numbers or SIP addresses (sip:ana@example.com); Enter after each. Messages go to the first phone number."
                required
                maxTags={10}
              />
              <Radio.Group label="Ring order" {...form.getInputProps('ring')}>
                <Stack gap={6} mt={4}>
                  <Radio value="IN_ORDER" label="One after another" />
                  <Radio value="ALL_AT_ONCE" label="All at once" />
                </Stack>
              </Radio.Group>
              <TagsInput
                label="Skills"
                description="Routing can ask for anybody with a skill."
                data={skills}
                maxTags={50}
                {...form.getInputProps('skills')}
              />
            </Stack>
          </Section>
          <Section
            title="Chats"
            description="A chat that is routed to the agent is a text while the agent wrote within 24 hours, and this template otherwise."
          >
            <NotifyTemplateFields form={form} path="template" empty="Leave empty to use the account’s template." />
          </Section>
          <Section title="Working hours">
            <Stack>
              <WeekHoursField
                label="Set working hours"
                description="Without them, the agent is always available."
                {...form.getInputProps('working_hours')}
              />
              <TimeZoneSelect description="Of the hours and holidays." {...form.getInputProps('time_zone')} />
              <DateList label="Holidays" description="Whole days without work." {...form.getInputProps('holidays')} />
            </Stack>
          </Section>
          <Section title="Away">
            <Stack>
              <Checkbox
                label="Away"
                description="No calls or chats, regardless of working hours."
                {...form.getInputProps('away', { type: 'checkbox' })}
              />
              {form.values.away && (
                <SimpleGrid cols={{ base: 1, sm: 2 }}>
                  <TextInput
                    type="datetime-local"
                    label="Until"
                    description="In your local time. Leave empty until you turn it off."
                    {...form.getInputProps('away_until')}
                  />
                </SimpleGrid>
              )}
              <Select
                label="Fallback"
                description="Asked when this agent is not available or does not answer."
                placeholder="Nobody"
                data={choices.map(({ uuid, name }) => ({ value: uuid, label: name }))}
                searchable
                clearable
                {...form.getInputProps('fallback')}
              />
            </Stack>
          </Section>
        </>
      )}
    </ApiForm>
  );
}
