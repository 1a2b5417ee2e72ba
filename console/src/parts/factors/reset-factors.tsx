import { Button } from '@mantine/core';
import { type Schema, useAct } from '../../api/index.ts';
import { confirm } from '../actions/confirm.tsx';

/** Removes the authenticator app, passkeys and recovery codes of somebody who lost them. */
export function ResetFactorsButton({ user }: { user: Pick<Schema<'User'>, 'uuid' | 'username'> }) {
  const reset = useAct('delete', '/v2/users/{uuid}/factors/', {
    invalidates: ['/v2/users/'],
    done: 'The second factor was reset.',
  });
  const ask = async () => {
    const text =
      'Their authenticator app, passkeys and recovery codes are removed and they are signed out. Until they set up a new one, their password alone signs them in.';
    if (await confirm({ title: `Reset the second factor of “${user.username}”?`, text, button: 'Reset' }))
      reset.mutate({ params: { uuid: user.uuid } });
  };
  if (!reset.may) return null;
  return (
    <Button variant="default" loading={reset.isPending} onClick={() => void ask()}>
      Reset second factor
    </Button>
  );
}
