import { Stack, Switch } from '@mantine/core';
import { useAct, useOne } from '../../api/index.ts';
import { Loaded, Section, useMay } from '../../parts/index.ts';
import { SettingsPage } from './settings-page.tsx';

/** What the account asks of whoever signs in. */
export function SecuritySettings() {
  const query = useOne('/v2/account/security/');
  const mayChange = useMay('account:write');
  const save = useAct('patch', '/v2/account/security/', {
    invalidates: ['/v2/account/security/', '/v2/auth/session/'],
    done: 'Saved.',
  });
  return (
    <SettingsPage tab="/settings/security" description="What it takes to sign in to this account.">
      <Loaded query={query}>
        {(security) => (
          <Stack>
            <Section
              title="Second factor"
              description="Users without one are led to set one up before they can do anything else. Tokens of programs are not affected."
            >
              <Switch
                label="Require a second factor of every user"
                checked={security.require_second_factor}
                disabled={!mayChange || save.isPending}
                onChange={(event) => save.mutate({ body: { require_second_factor: event.currentTarget.checked } })}
              />
            </Section>
            <Section
              title="Single sign-on"
              description="Owners can still sign in with a password, for the day on which the identity provider does not work."
            >
              <Switch
                label="Require single sign-on of everybody else"
                checked={security.sso_required}
                disabled={!mayChange || save.isPending}
                onChange={(event) => save.mutate({ body: { sso_required: event.currentTarget.checked } })}
              />
            </Section>
          </Stack>
        )}
      </Loaded>
    </SettingsPage>
  );
}
