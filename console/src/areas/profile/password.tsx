import { Section } from '../../parts/index.ts';
import { PasswordForm } from '../../parts/password-form.tsx';

/** Changes one's own password; all other sessions end. */
export const ChangePassword = () => (
  <Section
    title="Password"
    description="A new password signs you out everywhere else, and revokes the tokens that you created."
  >
    <PasswordForm done="The password is changed." />
  </Section>
);
