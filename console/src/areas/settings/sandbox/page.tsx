import { Anchor, Stack } from '@mantine/core';
import { Link } from 'wouter';
import { SettingsPage } from '../settings-page.tsx';
import { Clock } from './clock.tsx';
import { Faults } from './faults.tsx';

/** The time of the sandbox, and what is to go wrong in it. */
export const SandboxSettings = () => (
  <SettingsPage
    tab="/settings/sandbox"
    description={
      <>
        The sandbox is a carrier that lives inside Parley. Its phones are in the{' '}
        <Anchor component={Link} href="/phone" underline="always">
          phone simulator
        </Anchor>
        ; here its clock can be moved, and things made to go wrong.
      </>
    }
  >
    <Stack>
      <Clock />
      <Faults />
    </Stack>
  </SettingsPage>
);
