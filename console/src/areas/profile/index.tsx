import { Stack } from '@mantine/core';
import { useOne } from '../../api/index.ts';
import { useHere } from '../../parts/account.tsx';
import { SecuritySections } from '../../parts/factors/security.tsx';
import { Loaded, Page, Section } from '../../parts/index.ts';
import { NotificationChoices } from './notifications.tsx';
import { ChangePassword } from './password.tsx';
import { PersonForm } from './person.tsx';
import { OwnSessions } from './sessions.tsx';

/** What concerns whoever is signed in, and nobody else. */
export default function Profile() {
  const { session } = useHere();
  return (
    <Page title="Profile" description="Who you are, and how you sign in.">
      {session.user ? (
        <Own />
      ) : (
        <Section>
          You are signed in with a token. Profiles, second factors and passkeys belong to people who sign in with a
          name.
        </Section>
      )}
    </Page>
  );
}

function Own() {
  const query = useOne('/v2/users/me/');
  return (
    <Stack>
      <Loaded query={query} what="profile">
        {(profile) => (
          <Stack>
            <PersonForm profile={profile} />
            <NotificationChoices profile={profile} />
          </Stack>
        )}
      </Loaded>
      <ChangePassword />
      <SecuritySections />
      <OwnSessions />
    </Stack>
  );
}
