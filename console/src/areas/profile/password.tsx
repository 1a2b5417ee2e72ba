import { useOne } from '../../api/index.ts';
import { Section } from '../../parts/index.ts';
import { PasswordForm } from '../../parts/password-form.tsx';

/** Changes one's own password; all other sessions end. Whoever signs in elsewhere has none. */
export function ChangePassword() {
  const { data } = useOne('/v2/auth/factors/');
  if (data?.password === false) return null;
  return (
    <Section
      title="Password"
      description="A new password signs you out everywhere else, and revokes the tokens that you created."
    >
      <PasswordForm done="The password is changed." />
    </Section>
  );
}
