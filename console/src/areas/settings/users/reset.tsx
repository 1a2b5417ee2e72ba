import { Button } from '@mantine/core';
import { type Schema, useAct } from '../../../api/index.ts';
import { confirm } from '../../../parts/index.ts';
import { showSecret } from '../../../parts/webhooks/secret.tsx';

/** Makes a link by which a user sets another password. */
export function ResetButton({ user }: { user: Schema<'User'> }) {
  const reset = useAct('post', '/v2/users/{uuid}/password-reset/', {
    onDone: ({ link }) =>
      showSecret({
        title: `Reset link for ${user.username}`,
        secret: link,
        text: 'Send it to them. It works once, for a day; the old password works until they set another.',
      }),
  });
  const ask = async () => {
    const text = 'You get a link to send them. With it they set a new password, which signs them out everywhere.';
    if (await confirm({ title: `Reset the password of “${user.username}”?`, text, button: 'Make a link' }))
      reset.mutate({ params: { uuid: user.uuid } });
  };
  if (!reset.may) return null;
  return (
    <Button variant="default" loading={reset.isPending} onClick={() => void ask()}>
      Reset password
    </Button>
  );
}
