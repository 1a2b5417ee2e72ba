import { Button } from '@mantine/core';
import { type Schema, useAct } from '../../../api/index.ts';
import { confirm } from '../../../parts/index.ts';

/** Ends a token or a session. */
export function RevokeButton({ token }: { token: Schema<'Token'> }) {
  const revoke = useAct('delete', '/v2/auth/tokens/{uuid}/', { invalidates: ['/v2/auth/tokens/'], done: 'Revoked.' });
  const isSession = token.kind === 'SESSION';
  const ask = async () => {
    const text = isSession
      ? 'The browser is signed out at once. If it is this one, you have to sign in again.'
      : 'Whatever uses it stops working at once, and tokens and sessions that were made with it end. It cannot be brought back.';
    const title = isSession ? `End “${token.name}”?` : `Revoke the token “${token.name}”?`;
    if (await confirm({ title, text, button: isSession ? 'End it' : 'Revoke' }))
      revoke.mutate({ params: { uuid: token.uuid } });
  };
  if (!revoke.may) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={revoke.isPending}
      onClick={() => void ask()}
      aria-label={`${isSession ? 'End' : 'Revoke'} ${token.name}`}
    >
      {isSession ? 'End' : 'Revoke'}
    </Button>
  );
}
