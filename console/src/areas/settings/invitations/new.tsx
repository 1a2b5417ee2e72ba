import { Select, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import { call } from '../../../api/index.ts';
import { ApiForm, Page, Section } from '../../../parts/index.ts';
import { showSecret } from '../../../parts/webhooks/secret.tsx';
import { RoleSelect } from '../users/role-select.tsx';

const lifetimes = [
  { value: '1', label: 'In a day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
];

/** Invites somebody: makes a link, and shows it once. */
export function NewInvitation() {
  const [, navigate] = useLocation();
  const back = () => navigate('/settings/invitations');
  return (
    <Page
      title="Invite somebody"
      trail={[
        { title: 'Settings', href: '/settings' },
        { title: 'Invitations', href: '/settings/invitations' },
      ]}
      description="You get a link to send them; Parley sends nothing. They choose their own password."
    >
      <Section>
        <ApiForm
          initialValues={{ email: '', role: 'agent', days: '7' }}
          submit={({ email, role, days }) =>
            call('post', '/v2/invitations/', { body: { email, role, expires_in_days: Number(days) } })
          }
          button="Make a link"
          invalidates={['/v2/invitations/']}
          onDone={({ link, email }) => {
            back();
            showSecret({
              title: email ? `Invitation for ${email}` : 'Invitation',
              secret: link,
              text: 'Send it to them. It works once.',
            });
          }}
          onCancel={back}
        >
          {(form) => {
            const role = form.getInputProps('role');
            return (
              <>
                <TextInput
                  label="E-mail"
                  description="The user name they are offered. Leave it empty if you do not know."
                  maxLength={150}
                  autoComplete="off"
                  {...form.getInputProps('email')}
                />
                <RoleSelect value={role.value} onChange={role.onChange} error={role.error} />
                <Select
                  label="Expires"
                  data={lifetimes}
                  allowDeselect={false}
                  maw="16rem"
                  {...form.getInputProps('days')}
                />
              </>
            );
          }}
        </ApiForm>
      </Section>
    </Page>
  );
}
