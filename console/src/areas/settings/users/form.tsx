import { TextInput } from '@mantine/core';
import { call, type Schema } from '../../../api/index.ts';
import { ApiForm, editing, SecretInput } from '../../../parts/index.ts';
import { ScopesField } from '../scopes-field.tsx';
import { RoleSelect } from './role-select.tsx';

type User = Schema<'User'>;

interface UserFormProps {
  /** Left out: a new one is made. */
  user?: User;
  onDone(user: User): void;
  onCancel(): void;
}

/** In place of a role: scopes are chosen one by one. */
const custom = '';
const sameScopes = (a: string[], b: string[]): boolean => [...a].sort().join() === [...b].sort().join();

const valuesOf = (user?: User) => ({
  username: user?.username ?? '',
  password: '',
  role: user ? (user.role ?? custom) : 'agent',
  scopes: (user?.scopes ?? []) as string[],
});

/** Makes or changes a user. */
export function UserForm({ user, onDone, onCancel }: UserFormProps) {
  return (
    <ApiForm
      initialValues={valuesOf(user)}
      edits={editing(user, '/v2/users/{uuid}/', { uuid: user?.uuid ?? '' }, valuesOf)}
      submit={({ username, password, role, scopes }, ifMatch): Promise<User> => {
        if (!user) {
          const rights = role === custom ? { scopes } : { role };
          return call('post', '/v2/users/', { body: { username, password, ...rights } });
        }
        // What is sent ends the sessions, even if it is the same.
        const isSame = role === custom ? user.role === null && sameScopes(scopes, user.scopes) : role === user.role;
        const body = {
          ...(username !== user.username && { username }),
          ...(password && { password }),
          ...(!isSame && (role === custom ? { scopes } : { role })),
        };
        return call('patch', '/v2/users/{uuid}/', { params: { uuid: user.uuid }, body, ifMatch });
      }}
      button={user ? 'Save' : 'Create'}
      done={user ? 'Saved.' : 'Created.'}
      invalidates={['/v2/users/', '/v2/roles/', '/v2/auth/tokens/']}
      validate={{
        scopes: (scopes, { role }) => (role === custom && scopes.length === 0 ? 'Choose at least one scope.' : null),
      }}
      onDone={onDone}
      onCancel={onCancel}
    >
      {(form) => {
        const [role, scopes] = [form.getInputProps('role'), form.getInputProps('scopes')];
        return (
          <>
            <TextInput
              label="Name"
              description="To sign in with; an e-mail address will do. Nobody else on this server can have it."
              required
              maxLength={150}
              autoComplete="off"
              {...form.getInputProps('username')}
            />
            <SecretInput
              label={user ? 'New password' : 'Password'}
              description={
                user
                  ? 'Empty: it stays as it is. At least 10 characters.'
                  : 'At least 10 characters. It is never shown.'
              }
              required={!user}
              maxLength={1000}
              {...form.getInputProps('password')}
            />
            <RoleSelect value={role.value} onChange={role.onChange} error={role.error} custom={custom} />
            {role.value === custom && (
              <ScopesField value={scopes.value} onChange={scopes.onChange} error={scopes.error} />
            )}
          </>
        );
      }}
    </ApiForm>
  );
}
