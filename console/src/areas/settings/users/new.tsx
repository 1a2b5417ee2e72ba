import { useLocation } from 'wouter';
import { Page, Section } from '../../../parts/index.ts';
import { UserForm } from './form.tsx';

export const usersTrail = [
  { title: 'Settings', href: '/settings' },
  { title: 'Users', href: '/settings/users' },
];

/** Makes a user. */
export function NewUser() {
  const [, navigate] = useLocation();
  const back = () => navigate('/settings/users');
  return (
    <Page
      title="New user"
      trail={usersTrail}
      description="Tell them the name and the password yourself; no mail is sent."
    >
      <Section>
        <UserForm onDone={back} onCancel={back} />
      </Section>
    </Page>
  );
}
