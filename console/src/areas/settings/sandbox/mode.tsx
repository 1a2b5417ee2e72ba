import { Radio, Stack } from '@mantine/core';
import { call, type Schema } from '../../../api/index.ts';
import { ApiForm, editing, Section } from '../../../parts/index.ts';

type Mode = Schema<'Account'>['sandbox'];

const modes: { value: Mode; label: string; description: string }[] = [
  {
    value: 'adopt',
    label: 'Everything unknown',
    description: 'Senders, templates and SMS links that nobody registered work by themselves. For trying things out.',
  },
  {
    value: 'registered',
    label: 'Only what was registered on it',
    description: 'What is unknown is refused, so that a typo in a live sender is an error. For live accounts.',
  },
  { value: 'off', label: 'Nothing', description: 'There is no sandbox: whatever is on it refuses to send.' },
];

const valuesOf = ({ sandbox }: Schema<'Account'>) => ({ sandbox });

/** How far the account uses the sandbox. */
export const SandboxMode = ({ account }: { account: Schema<'Account'> }) => (
  <Section
    title="What the sandbox takes"
    description="With the first live sender, SMS link or trunk it becomes “Only what was registered on it”."
  >
    <ApiForm
      initialValues={valuesOf(account)}
      edits={editing(account, '/v2/account/', undefined, valuesOf)}
      submit={(body, ifMatch) => call('patch', '/v2/account/', { body, ifMatch })}
      done="Saved."
      invalidates={['/v2/account/', '/v2/sandbox/']}
    >
      {(form) => (
        <Radio.Group aria-label="What the sandbox takes" {...form.getInputProps('sandbox')}>
          <Stack gap="sm">
            {modes.map((mode) => (
              <Radio key={mode.value} {...mode} />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </ApiForm>
  </Section>
);
