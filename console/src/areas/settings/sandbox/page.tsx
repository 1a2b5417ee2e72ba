import { Anchor, Stack } from '@mantine/core';
import { Link } from 'wouter';
import { useOne } from '../../../api/index.ts';
import { useLiveRefresh } from '../../../live/index.ts';
import { Loaded } from '../../../parts/index.ts';
import { SettingsPage } from '../settings-page.tsx';
import { Clock } from './clock.tsx';
import { Faults } from './faults.tsx';
import { SandboxMode } from './mode.tsx';

/** How far the sandbox is used, its time, and what is to go wrong in it. */
export function SandboxSettings() {
  const query = useOne('/v2/account/');
  useLiveRefresh(['account.'], ['/v2/account/']);
  return (
    <SettingsPage
      tab="/settings/sandbox"
      description={
        <>
          The sandbox is Parley’s built-in test carrier. Its phones are in the{' '}
          <Anchor component={Link} href="/phone" underline="always">
            phone simulator
          </Anchor>
          ; here you control its clock and faults.
        </>
      }
    >
      <Loaded query={query}>
        {(account) => (
          <Stack>
            <SandboxMode account={account} />
            {account.sandbox !== 'off' && <Clock />}
            {account.sandbox !== 'off' && <Faults />}
          </Stack>
        )}
      </Loaded>
    </SettingsPage>
  );
}
