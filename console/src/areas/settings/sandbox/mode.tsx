import { Radio, Stack } from '@mantine/core';
import { call, type Schema } from '../../../api/index.ts';
import { ApiForm, editing, Section } from '../../../parts/index.ts';

type Mode = Schema<'Account'>['sandbox'];

const modes: { value: Mode; label: string; description: string }[] = [
  {
    value: 'adopt',
    label: 'Accept everything',
    description: 'Unregistered senders, templates and SMS links work. For trying things out.',
  },
  {
    value: 'registered',
    label: 'Registered only',
    description: 'Unknown senders are refused, so typos are caught. For live accounts.',
  },
  { value: 'off', label: 'Nothing', description: 'The sandbox is off: anything on it refuses to send.' },
];

const valuesOf = ({ sandbox }: Schema<'Account'>) => ({ sandbox });

/** How far the account uses the sandbox. */
export const SandboxMode = ({ account }: { account: Schema<'Account'> }) => (
  <Section
    title="Sandbox mode"
    description="Changes to “Registered only” with the first live sender, SMS link or trunk."
  >
    <ApiForm
      initialValues={valuesOf(account)}
      edits={editing(account, '/v2/account/', undefined, valuesOf)}
      submit={(body, ifMatch) => call('patch', '/v2/account/', { body, ifMatch })}
      done="Saved."
      invalidates={['/v2/account/', '/v2/sandbox/']}
    >
      {(form) => (
        <Radio.Group aria-label="Sandbox mode" {...form.getInputProps('sandbox')}>
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
