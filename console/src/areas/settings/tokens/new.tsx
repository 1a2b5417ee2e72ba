import { Code, Select, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import { call } from '../../../api/index.ts';
import { ListField } from '../../../parts/fields/list-field.tsx';
import { ApiForm, Page, Section } from '../../../parts/index.ts';
import { showSecret } from '../../../parts/webhooks/secret.tsx';
import { ScopesField } from '../scopes-field.tsx';
import { ResourcesField } from './resources-field.tsx';

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

const inDays = (days: string): string | null =>
  days ? new Date(Date.now() + Number(days) * 86_400_000).toISOString() : null;

/** Makes a token for a program, and shows it once. */
export function NewToken() {
  const [, navigate] = useLocation();
  const back = () => navigate('/settings/tokens');
  return (
    <Page
      title="New token"
      trail={[
        { title: 'Settings', href: '/settings' },
        { title: 'Tokens', href: '/settings/tokens' },
      ]}
      description="Give each program its own, with no more than it needs."
    >
      <Section>
        <ApiForm
          initialValues={{
            name: '',
            purpose: '',
            scopes: [] as string[],
            allowed_networks: [] as string[],
            resources: [] as string[],
            expires: '90',
          }}
          submit={({ expires, allowed_networks, resources, ...rest }) =>
            call('post', '/v2/auth/tokens/', {
              body: {
                ...rest,
                expires: inDays(expires),
                ...(allowed_networks.length > 0 && { allowed_networks }),
                ...(resources.length > 0 && { resources }),
              },
            })
          }
          button="Create"
          invalidates={['/v2/auth/tokens/']}
          validate={{ scopes: (scopes) => (scopes.length === 0 ? 'Choose at least one scope.' : null) }}
          onDone={({ name, token }) => {
            back();
            showSecret({
              title: `The token “${name}”`,
              secret: token,
              text: (
                <>
                  The program sends it with each request: <Code>Authorization: Token …</Code>
                </>
              ),
            });
          }}
          onCancel={back}
        >
          {(form) => {
            const scopes = form.getInputProps('scopes');
            return (
              <>
                <TextInput
                  label="Name"
                  description="Which program it is for."
                  required
                  maxLength={100}
                  {...form.getInputProps('name')}
                />
                <TextInput
                  label="Purpose"
                  description="What it is for, and who looks after it."
                  maxLength={200}
                  {...form.getInputProps('purpose')}
                />
                <ScopesField value={scopes.value} onChange={scopes.onChange} error={scopes.error} />
                <ResourcesField form={form} />
                <ListField
                  form={form}
                  path="allowed_networks"
                  label="Allowed networks"
                  description="Empty: it works from everywhere. Press Enter after each, such as 192.0.2.0/24."
                  maxTags={50}
                  maw="36rem"
                />
                <Select
                  label="Expires"
                  data={lifetimes}
                  allowDeselect={false}
                  maw="16rem"
                  {...form.getInputProps('expires')}
                />
              </>
            );
          }}
        </ApiForm>
      </Section>
    </Page>
  );
}
