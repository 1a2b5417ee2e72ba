import { useHere } from '../../parts/account.tsx';
import { SecuritySections } from '../../parts/factors/security.tsx';
import { Page, Section } from '../../parts/index.ts';

/** What concerns whoever is signed in, and nobody else. */
export default function Profile() {
  const { session } = useHere();
  return (
    <Page title="Profile" description="How you sign in.">
      {session.user ? (
        <SecuritySections />
      ) : (
        <Section>
          You are signed in with a token. Second factors and passkeys belong to people who sign in with a name.
        </Section>
      )}
    </Page>
  );
}
