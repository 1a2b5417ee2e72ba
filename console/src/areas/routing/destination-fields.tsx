import { NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ListField } from '../../parts/fields/list-field.tsx';
import { Later } from '../../parts/loading/later.tsx';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { AgentOrSkill } from './agent-or-skill.tsx';
import { type ConfigValues, type DestinationValues, typesOf } from './values.ts';
import { typeWords } from './words.ts';

const { AudioField } = pagesOf(() => import('../../parts/audio/audio-field.tsx'));
const { MessageFields } = pagesOf(() => import('./message-fields.tsx'));

interface DestinationFieldsProps {
  form: UseFormReturnType<ConfigValues>;
  /** `routes.0.destination` or `fallback`. */
  at: string;
  values: DestinationValues;
}

/** Where a route leads: the type, and what that type asks for. */
export function DestinationFields({ form, at, values }: DestinationFieldsProps) {
  const types = typesOf[form.values.channel];
  const data = [...new Set([...types, values.type])].map((value) => ({ value, label: typeWords[value] }));
  return (
    <Stack gap="sm">
      <Select
        label="Then"
        data={data}
        allowDeselect={false}
        {...form.getInputProps(`${at}.type`)}
        error={
          form.getInputProps(`${at}.type`).error ??
          (types.includes(values.type) ? undefined : 'This is not possible on this channel.')
        }
      />
      <TypeFields form={form} at={at} values={values} />
    </Stack>
  );
}

function TypeFields({ form, at, values }: DestinationFieldsProps) {
  const props = (name: string) => form.getInputProps(`${at}.${name}`);
  const ring = (
    <NumberInput
      label="Ring for"
      description="Default: 25 seconds."
      suffix=" seconds"
      min={5}
      max={120}
      {...props('ring_seconds')}
    />
  );
  const rings = form.values.channel === 'VOICE';
  switch (values.type) {
    case 'NUMBER':
      return (
        <>
          <ListField
            form={form}
            path={`${at}.numbers`}
            label="Numbers"
            description="Rung simultaneously; the first to answer gets the call. Press Enter after each."
            placeholder="+44 7700 900123"
            maxTags={10}
            required
          />
          {ring}
        </>
      );
    case 'AGENT':
      return (
        <>
          <AgentOrSkill
            who={values.who === 'skill' ? 'skill' : 'agent'}
            agent={values.agent}
            skill={values.skill}
            agentError={props('agent').error}
            skillError={props('skill').error}
            onChange={(change) => form.setFieldValue(at, { ...values, ...change } as never)}
          />
          {values.who === 'skill' && (
            <Select
              label="Order"
              data={[
                { value: 'ROUND_ROBIN', label: 'One after another' },
                { value: 'LEAST_RECENT', label: 'Least recently assigned' },
              ]}
              allowDeselect={false}
              {...props('strategy')}
            />
          )}
          {rings && ring}
        </>
      );
    case 'SIP':
      return (
        <>
          <TextInput label="SIP address" placeholder="sip:desk@example.com" required {...props('uri')} />
          {ring}
        </>
      );
    case 'AUDIO':
      return (
        <Later>
          <AudioField
            label="Audio"
            description="Played to the caller; then the call ends."
            required
            {...props('audio_file')}
          />
        </Later>
      );
    case 'CHATAPP':
    case 'SMS':
      return (
        <Later>
          <MessageFields form={form} at={at} values={values} />
        </Later>
      );
    case 'WEBHOOK':
      return (
        <TextInput
          label="Address"
          description="The message is POSTed here, signed and repeated like a webhook."
          type="url"
          required
          {...props('url')}
        />
      );
    case 'VOICEMAIL':
      return <Text size="sm">The greeting of the number is played, then a message is recorded.</Text>;
    case 'HANGUP':
      return <Text size="sm">The call is refused.</Text>;
  }
}
