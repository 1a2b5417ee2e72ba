import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiProblem, sayProblem, useAct } from '../../api/index.ts';
import { Copy, confirm, Time } from '../index.ts';
import { QrCode } from './qr-code.tsx';
import { showRecoveryCodes } from './recovery-codes.tsx';

/** Sets up the authenticator app, or takes it away. `since` null: there is none. */
export function AuthenticatorApp({ since, onAdded }: { since: string | null; onAdded(): void }) {
  const start = useAct('post', '/v2/auth/factors/totp/');
  const remove = useAct('delete', '/v2/auth/factors/totp/', { invalidates: ['/v2/auth/factors/'], done: 'Removed.' });
  const askToRemove = async () => {
    const text = 'Signing in will not ask for its codes any more.';
    if (await confirm({ title: 'Remove the authenticator app?', text, button: 'Remove' })) remove.mutate(undefined);
  };
  if (since !== null) {
    return (
      <Group justify="space-between">
        <Text size="sm">
          On since <Time at={since} />
        </Text>
        <Button variant="default" loading={remove.isPending} onClick={() => void askToRemove()}>
          Remove
        </Button>
      </Group>
    );
  }
  const added = () => {
    start.reset();
    onAdded();
  };
  if (start.data) {
    return <FirstCode secret={start.data.secret} url={start.data.otpauth_url} onAdded={added} />;
  }
  return (
    <Button loading={start.isPending} onClick={() => start.mutate(undefined)}>
      Set up an authenticator app
    </Button>
  );
}

function FirstCode({ secret, url, onAdded }: { secret: string; url: string; onAdded(): void }) {
  const [code, setCode] = useState('');
  const enter = useAct('post', '/v2/auth/factors/totp/confirm/', {
    quiet: true,
    invalidates: ['/v2/auth/factors/'],
    onDone: ({ recovery_codes }) => void showRecoveryCodes(recovery_codes).then(onAdded),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    enter.mutate({ body: { otp: code.replaceAll(/\s/g, '') } });
  };
  const said = enter.error instanceof ApiProblem ? enter.error.fields['otp'] : undefined;
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">Scan this with the app, or type the key into it.</Text>
        <QrCode text={url} label="QR code for the authenticator app" />
        <Group gap="xs">
          <Code data-testid="totp-secret">{secret}</Code>
          <Copy value={secret} what="the key" />
        </Group>
        {enter.error && !said && (
          <Alert color="red" role="alert">
            {sayProblem(enter.error)}
          </Alert>
        )}
        <TextInput
          label="Code that the app shows now"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          maw="16rem"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={said}
        />
        <Group>
          <Button type="submit" loading={enter.isPending}>
            Turn on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
