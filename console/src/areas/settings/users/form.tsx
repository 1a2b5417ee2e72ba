import { TextInput } from '@mantine/core';
import { call, type Schema } from '../../../api/index.ts';
import { ApiForm, editing, SecretInput } from '../../../parts/index.ts';
import { ScopesField } from '../scopes-field.tsx';

type User = Schema<'User'>;

interface UserFormProps {
  /** Left out: a new one is made. */
  user?: User;
  onDone(user: User): void;
  onCancel(): void;
}

const sameScopes = (a: string[], b: string[]): boolean => [...a].sort().join() === [...b].sort().join();

const valuesOf = (user?: User) => ({
  username: user?.username ?? '',
  password: '',
  scopes: (user?.scopes ?? ['read', 'write']) as string[],
});

/** Makes or changes a user. */
export function UserForm({ user, onDone, onCancel }: UserFormProps) {
  return (
    <ApiForm
      initialValues={valuesOf(user)}
      edits={editing(user, '/v2/users/{uuid}/', { uuid: user?.uuid ?? '' }, valuesOf)}
      submit={({ username, password, scopes }, ifMatch): Promise<User> => {
        if (!user) return call('post', '/v2/users/', { body: { username, password, scopes } });
        // Scopes that are sent end the sessions, even if they are the same.
        const body = {
          ...(username !== user.username && { username }),
          ...(password && { password }),
          ...(!sameScopes(scopes, user.scopes) && { scopes }),
        };
        return call('patch', '/v2/users/{uuid}/', { params: { uuid: user.uuid }, body, ifMatch });
      }}
      button={user ? 'Save' : 'Create'}
      done={user ? 'Saved.' : 'Created.'}
      invalidates={['/v2/users/', '/v2/auth/tokens/']}
      validate={{ scopes: (scopes) => (scopes.length === 0 ? 'Choose at least one scope.' : null) }}
      onDone={onDone}
      onCancel={onCancel}
    >
      {(form) => {
        const scopes = form.getInputProps('scopes');
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
            <ScopesField value={scopes.value} onChange={scopes.onChange} error={scopes.error} />
          </>
        );
      }}
    </ApiForm>
  );
}
