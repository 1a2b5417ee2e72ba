import { Stack, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import { call, type Schema, useOne } from '../../../api/index.ts';
import { ApiForm, Facts, Loaded, Page, RemoveButton, Section } from '../../../parts/index.ts';
import { ScopesField } from '../scopes-field.tsx';

const trail = [
  { title: 'Settings', href: '/settings' },
  { title: 'Roles', href: '/settings/roles' },
];

/** Makes a role. */
export const NewRole = () => (
  <Page title="New role" trail={trail} description="A named set of scopes. Give it no more than its users need.">
    <Section>
      <RoleForm />
    </Section>
  </Page>
);

/** Shows a role, and changes one of the account's own. */
export function RoleDetail({ uuid }: { uuid: string }) {
  const query = useOne('/v2/roles/{uuid}/', { uuid });
  return (
    <Loaded query={query} what="role">
      {(role) => (
        <Page
          title={role.name}
          trail={trail}
          description={role.description}
          actions={
            !role.built_in && (
              <RemoveButton
                path="/v2/roles/{uuid}/"
                uuid={uuid}
                what={`the role “${role.name}”`}
                text="A role that users or invitations have cannot be deleted."
                back="/settings/roles"
              />
            )
          }
        >
          <Section>{role.built_in ? <BuiltIn role={role} /> : <RoleForm role={role} />}</Section>
        </Page>
      )}
    </Loaded>
  );
}

const BuiltIn = ({ role }: { role: Schema<'Role'> }) => (
  <Facts
    rows={[
      ['Scopes', role.scopes.join(', ')],
      ['Users', String(role.users)],
      ['Kind', 'Built in: it cannot be changed.'],
    ]}
  />
);

function RoleForm({ role }: { role?: Schema<'Role'> }) {
  const [, navigate] = useLocation();
  const back = () => navigate('/settings/roles');
  return (
    <ApiForm
      initialValues={{
        name: role?.name ?? '',
        description: role?.description ?? '',
        scopes: (role?.scopes ?? []) as string[],
      }}
      submit={(body): Promise<Schema<'Role'>> =>
        role
          ? call('patch', '/v2/roles/{uuid}/', { params: { uuid: role.uuid! }, body })
          : call('post', '/v2/roles/', { body })
      }
      button={role ? 'Save' : 'Create'}
      done={role ? 'Saved.' : 'Created.'}
      invalidates={['/v2/roles/', '/v2/users/', '/v2/auth/session/']}
      validate={{ scopes: (scopes) => (scopes.length === 0 ? 'Choose at least one scope.' : null) }}
      onDone={back}
      onCancel={back}
    >
      {(form) => {
        const scopes = form.getInputProps('scopes');
        return (
          <Stack>
            <TextInput label="Name" required maxLength={50} {...form.getInputProps('name')} />
            <TextInput label="Description" maxLength={200} {...form.getInputProps('description')} />
            <ScopesField value={scopes.value} onChange={scopes.onChange} error={scopes.error} plain />
          </Stack>
        );
      }}
    </ApiForm>
  );
}
