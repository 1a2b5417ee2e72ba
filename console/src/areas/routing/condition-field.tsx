import { Chip, Group, Input, MultiSelect, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { countryOptions } from '../../parts/fields/country.ts';
import { ListField } from '../../parts/fields/list-field.tsx';
import { DateList } from '../../parts/hours/date-list.tsx';
import { dayName, weekdays } from '../../parts/hours/days.ts';
import { HoursWindows } from '../../parts/hours/hours-windows.tsx';
import { AgentOrSkill } from './agent-or-skill.tsx';
import type { ConditionKind } from './condition-kinds.ts';
import { useCountries, useNames } from './use-names.ts';
import type { ConfigValues } from './values.ts';

interface ConditionFieldProps {
  form: UseFormReturnType<ConfigValues>;
  /** `routes.0.conditions`. */
  at: string;
  kind: ConditionKind;
}

/** The field of one condition of a route. */
export function ConditionField({ form, at, kind }: ConditionFieldProps) {
  const path = `${at}.${kind}`;
  const props = form.getInputProps(path);
  switch (kind) {
    case 'time_windows':
      return (
        <Input.Wrapper label="In one of these windows" labelElement="div" error={props.error}>
          <HoursWindows label="Time of day" value={props.value ?? []} onChange={props.onChange} most={20} />
        </Input.Wrapper>
      );
    case 'weekdays':
      return (
        <Input.Wrapper label="On one of these days" labelElement="div" error={props.error}>
          <Chip.Group multiple value={props.value ?? []} onChange={props.onChange}>
            <Group gap={6} mt={4}>
              {weekdays.map((day) => (
                <Chip key={day} value={day.toUpperCase()} size="sm">
                  {dayName(day)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Input.Wrapper>
      );
    case 'holidays':
      return <Holidays form={form} path={path} />;
    case 'digits':
      return (
        <ListField form={form} path={path} label="They enter exactly one of these" placeholder="1" maxTags={100} />
      );
    case 'keywords':
      return (
        <ListField
          form={form}
          path={path}
          label="The text has one of these"
          description="Whole words, in any case."
          placeholder="viewing"
          maxTags={100}
        />
      );
    case 'agent_available':
      return <Available form={form} path={path} />;
    case 'caller_countries':
      return <Countries {...props} />;
    case 'caller_lists':
      return <Lists {...props} />;
    case 'caller_prefixes':
      return <ListField form={form} path={path} label="Their number begins with" placeholder="+4477" maxTags={100} />;
    case 'dialled_numbers':
      return (
        <ListField form={form} path={path} label="They call or write to" placeholder="+44 20 7946 0000" maxTags={100} />
      );
    case 'dialled_prefixes':
      return <ListField form={form} path={path} label="Your number begins with" placeholder="+4420" maxTags={100} />;
    case 'percentage':
      return (
        <NumberInput
          label="Of so many in a hundred"
          description="Drawn for each anew."
          suffix=" %"
          min={1}
          max={100}
          {...props}
        />
      );
  }
}

type PathProps = Pick<ConditionFieldProps, 'form'> & { path: string };

function Holidays({ form, path }: PathProps) {
  const on = form.getInputProps(`${path}.on`);
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label="On these days, or on any other"
        value={on.value ? 'on' : 'off'}
        onChange={(value) => on.onChange(value === 'on')}
        data={[
          { value: 'on', label: 'Only on these days' },
          { value: 'off', label: 'On any other day' },
        ]}
      />
      <DateList label="Days" {...form.getInputProps(`${path}.dates`)} />
    </Stack>
  );
}

function Available({ form, path }: PathProps) {
  const value: { agent?: string; skill?: string } = form.getInputProps(path).value ?? {};
  return (
    <Stack gap={4}>
      <AgentOrSkill
        who={value.skill === undefined ? 'agent' : 'skill'}
        agent={value.agent ?? null}
        skill={value.skill ?? ''}
        agentError={form.getInputProps(`${path}.agent`).error ?? form.getInputProps(path).error}
        skillError={form.getInputProps(`${path}.skill`).error}
        onChange={({ who, agent, skill }) =>
          form.setFieldValue(path, who === 'skill' ? { skill } : agent ? { agent } : {})
        }
      />
      <Text size="xs" c="dimmed">
        Available: at work by their hours, and not away.
      </Text>
    </Stack>
  );
}

function Countries(props: object) {
  const countries = useCountries();
  return (
    <MultiSelect
      label="Their number is of one of these countries"
      data={countryOptions(countries)}
      searchable
      {...props}
    />
  );
}

function Lists(props: { value?: string[] }) {
  const { lists } = useNames();
  const placeholder = props.value?.length ? '' : lists.length > 0 ? 'Choose lists' : 'There is no list yet';
  return (
    <MultiSelect label="They are on one of these lists" data={lists} placeholder={placeholder} searchable {...props} />
  );
}
