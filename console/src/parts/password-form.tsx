import { call } from '../api/index.ts';
import { ApiForm } from './actions/api-form.tsx';
import { SecretInput } from './actions/secret-input.tsx';

/** Changes the password of whoever is signed in: on their profile, and in place of the one that the first start printed. */
export function PasswordForm({ done, onDone }: { done?: string; onDone?(): void }) {
  return (
    <ApiForm
      side
      initialValues={{ current_password: '', new_password: '', again: '' }}
      submit={({ current_password, new_password }) =>
        call('post', '/v2/users/me/password/', { body: { current_password, new_password } })
      }
      button="Change password"
      {...(done && { done })}
      invalidates={['/v2/users/me/', '/v2/auth/session/', '/v2/auth/tokens/']}
      validate={{
        again: (again, values) => (again === values.new_password ? null : 'The two passwords differ.'),
      }}
      {...(onDone && { onDone })}
    >
      {(form) => (
        <>
          <SecretInput
            label="Current password"
            required
            maxLength={1000}
            autoComplete="current-password"
            {...form.getInputProps('current_password')}
          />
          <SecretInput
            label="New password"
            description="At least 10 characters, and not one that is common."
            required
            maxLength={1000}
            autoComplete="new-password"
            {...form.getInputProps('new_password')}
          />
          <SecretInput
            label="New password again"
            required
            maxLength={1000}
            autoComplete="new-password"
            {...form.getInputProps('again')}
          />
        </>
      )}
    </ApiForm>
  );
}
