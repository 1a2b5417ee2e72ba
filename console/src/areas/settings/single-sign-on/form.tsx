import { Select, SimpleGrid, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { call, type Schema } from '../../../api/index.ts';
import { ApiForm, editing, SecretInput, Section } from '../../../parts/index.ts';
import { More } from '../more.tsx';
import { GroupRoles, useRoleChoices } from './group-roles.tsx';

type Provider = Schema<'IdentityProvider'>;

interface ProviderFormProps {
  /** Left out: a new one is made. */
  provider?: Provider;
  onDone(provider: Provider): void;
  onCancel(): void;
}

const valuesOf = (provider?: Provider) => ({
  name: provider?.name ?? '',
  issuer: provider?.issuer ?? '',
  client_id: provider?.client_id ?? '',
  client_secret: '',
  token_auth_method: provider?.token_auth_method ?? ('client_secret_basic' as const),
  scopes: provider?.scopes ?? 'openid email profile',
  groups_claim: provider?.groups_claim ?? 'groups',
  group_roles: provider?.group_roles ?? [],
  default_role: provider?.default_role ?? '',
  domains: provider?.domains ?? [],
  create_users: provider?.create_users ?? true,
  trust_email: provider?.trust_email ?? false,
  trust_second_factor: provider?.trust_second_factor ?? false,
  enabled: provider?.enabled ?? true,
});

const hasFineError = (errors: object): boolean =>
  Object.keys(errors).some((name) => /^(token_auth_method|scopes|trust_)/.test(name));

/** Makes or changes an identity provider. */
export function ProviderForm({ provider, onDone, onCancel }: ProviderFormProps) {
  const roles = useRoleChoices();
  return (
    <ApiForm
      initialValues={valuesOf(provider)}
      edits={editing(provider, '/v2/identity-providers/{uuid}/', { uuid: provider?.uuid ?? '' }, valuesOf)}
      submit={({ client_secret, default_role, ...rest }, ifMatch): Promise<Provider> => {
        const body = { ...rest, default_role: default_role || null, ...(client_secret && { client_secret }) };
        return provider
          ? call('patch', '/v2/identity-providers/{uuid}/', { params: { uuid: provider.uuid }, body, ifMatch })
          : call('post', '/v2/identity-providers/', { body: { ...body, client_secret } });
      }}
      button={provider ? 'Save' : 'Create'}
      done={provider ? 'Saved.' : 'Created.'}
      invalidates={['/v2/identity-providers/']}
      onDone={onDone}
      onCancel={onCancel}
    >
      {(form) => (
        <>
          <Section title="Provider">
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput
                label="Name"
                description="On the button of the sign-in page: Continue with …"
                required
                maxLength={100}
                {...form.getInputProps('name')}
              />
              <TextInput
                label="Issuer"
                description="As the provider writes it."
                placeholder="https://login.example.com/realms/corp"
                required
                maxLength={500}
                {...form.getInputProps('issuer')}
              />
              <TextInput
                label="Client id"
                required
                maxLength={300}
                autoComplete="off"
                {...form.getInputProps('client_id')}
              />
              <SecretInput
                label="Client secret"
                description={provider ? 'Leave empty to keep the current value.' : 'Stored encrypted, never shown.'}
                required={!provider}
                maxLength={1000}
                {...form.getInputProps('client_secret')}
              />
            </SimpleGrid>
            <Switch
              mt="md"
              label="Enabled"
              description="Nobody signs in by a provider that is disabled, and its sessions end."
              {...form.getInputProps('enabled', { type: 'checkbox' })}
            />
          </Section>
          <Section
            title="Users"
            description="The first time, somebody is known by a verified e-mail address; from then on by the id that the provider gives them."
          >
            <Stack>
              <TagsInput
                label="E-mail domains"
                description="Only these are admitted, and offered this provider on the sign-in page. Press Enter after each."
                placeholder={form.values.domains.length > 0 ? '' : 'example.com'}
                maxTags={50}
                {...form.getInputProps('domains')}
              />
              <Switch
                label="Create users at their first sign-in"
                description="Otherwise only people who are users already get in."
                {...form.getInputProps('create_users', { type: 'checkbox' })}
              />
            </Stack>
          </Section>
          <Section
            title="Roles"
            description="If a group has a role here, every sign-in sets the role. The first group that fits counts."
          >
            <Stack>
              <TextInput
                label="Claim with the groups"
                maw="24rem"
                required
                maxLength={100}
                {...form.getInputProps('groups_claim')}
              />
              <GroupRoles
                value={form.values.group_roles}
                onChange={(value) => form.setFieldValue('group_roles', value)}
                errors={form.errors}
              />
              <Select
                label="Role of everybody else"
                description="Without one, whoever is in none of the groups is refused."
                placeholder="Refuse them"
                data={roles}
                clearable
                maw="24rem"
                {...form.getInputProps('default_role')}
                onChange={(role) => form.setFieldValue('default_role', role ?? '')}
              />
            </Stack>
          </Section>
          <Section>
            <More title="Advanced" open={hasFineError(form.errors)}>
              <Stack>
                <SimpleGrid cols={{ base: 1, sm: 2 }}>
                  <TextInput label="Scopes" required maxLength={500} {...form.getInputProps('scopes')} />
                  <Select
                    label="Client authentication"
                    data={[
                      { value: 'client_secret_basic', label: 'In the header (basic)' },
                      { value: 'client_secret_post', label: 'In the body (post)' },
                    ]}
                    allowDeselect={false}
                    {...form.getInputProps('token_auth_method')}
                  />
                </SimpleGrid>
                <Switch
                  label="Trust e-mail addresses that are not marked as verified"
                  description="Only where nobody but the provider’s administrators can set the address of a user, as in Entra ID for your own tenant."
                  {...form.getInputProps('trust_email', { type: 'checkbox' })}
                  error={form.errors['trust_email']}
                />
                <Switch
                  label="Every sign-in counts as one with a second factor"
                  description="Where the provider requires one of everybody. Otherwise it counts if the provider says so (amr)."
                  {...form.getInputProps('trust_second_factor', { type: 'checkbox' })}
                />
              </Stack>
            </More>
          </Section>
        </>
      )}
    </ApiForm>
  );
}
