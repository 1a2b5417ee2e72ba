import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type FormEvent, useState } from 'react';
import { ApiProblem, call, sayProblem, useOne } from '../api/index.ts';
import { leaveForProvider } from '../api/sso.ts';
import { SecretInput } from '../parts/actions/secret-input.tsx';
import { CodeField, codesOf } from '../parts/sign-in/code-field.tsx';
import { PasskeyButton } from '../parts/sign-in/passkey-button.tsx';
import { passkeysWork } from '../parts/sign-in/passkeys.ts';

/** Asks whoever is signed in to prove that it is they; resolves to whether they did. */
export function confirmItIsYou({ isPerson, provider }: Who): Promise<boolean> {
  return new Promise((resolve) => {
    let isDone = false;
    const id = modals.open({
      title: (
        <Text component="span" fw={600}>
          Confirm that it is you
        </Text>
      ),
      children: (
        <Confirmation
          isPerson={isPerson}
          provider={provider}
          onDone={() => {
            isDone = true;
            modals.close(id);
          }}
          onCancel={() => modals.close(id)}
        />
      ),
      onClose: () => resolve(isDone),
    });
  });
}

interface Who {
  isPerson: boolean;
  /** By whom they signed in, if it was not with a password or a token. */
  provider?: { uuid: string; name: string | null } | null | undefined;
}

interface ConfirmationProps extends Who {
  /** Why they are asked. */
  why?: string;
  onDone(): void;
  onCancel(): void;
}

export function Confirmation({
  isPerson,
  provider,
  why = 'You signed in a while ago, and what you are about to do is sensitive.',
  onDone,
  onCancel,
}: ConfirmationProps) {
  const factors = useOne('/v2/auth/factors/', undefined, undefined, { enabled: isPerson });
  const [secret, setSecret] = useState('');
  const [codes, setCodes] = useState({ code: '', isRecovery: false });
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const hasTotp = Boolean(factors.data?.totp);
  const hasPasskey = (factors.data?.passkeys.length ?? 0) > 0;
  const isCode = hasTotp || hasPasskey;
  const isElsewhere = !isCode && provider && factors.data?.password === false;
  if (isPerson && factors.isPending) return null;

  const send = async (body: object) => {
    await call('post', '/v2/auth/session/confirm/', { body: body as never });
    onDone();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    if (isElsewhere) {
      await leaveForProvider(provider.uuid, { reauthenticate: true }).catch(setProblem);
      setBusy(false);
      return;
    }
    const given = { ...codes, isRecovery: codes.isRecovery || !hasTotp };
    const body = isCode ? codesOf(given) : isPerson ? { password: secret } : { token: secret.trim() };
    await send(body).catch(setProblem);
    setBusy(false);
  };
  const fields = problem instanceof ApiProblem ? problem.fields : {};
  const [said] = Object.values(fields);
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <Text size="sm">{why}</Text>
        {problem !== null && !said && (
          <Alert color="red" role="alert">
            {sayProblem(problem)}
          </Alert>
        )}
        {isElsewhere ? (
          <Text size="sm">You are led to your identity provider and back. What you have not saved here is lost.</Text>
        ) : isCode ? (
          <CodeField values={codes} onlyRecovery={!hasTotp} error={said} onChange={setCodes} />
        ) : (
          <SecretInput
            label={isPerson ? 'Password' : 'Token'}
            autoComplete={isPerson ? 'current-password' : 'off'}
            required
            data-autofocus
            value={secret}
            onChange={(event) => setSecret(event.currentTarget.value)}
            error={said}
          />
        )}
        <Group justify="flex-end">
          {hasPasskey && passkeysWork() && (
            <PasskeyButton label="Use a passkey" use={(passkey) => send({ passkey })} onProblem={setProblem} />
          )}
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            {isElsewhere ? `Sign in again with ${provider?.name}` : 'Confirm'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
