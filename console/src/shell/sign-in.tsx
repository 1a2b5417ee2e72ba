import {
  Alert,
  Anchor,
  Button,
  Card,
  Center,
  Divider,
  Group,
  Stack,
  Tabs,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { serverUrl } from '../api/client.ts';
import { ApiProblem, sayProblem } from '../api/problem.ts';
import { type Credentials, signIn } from '../api/session.ts';
import iconUrl from '../icon.svg?inline';
import { SecretInput } from '../parts/actions/secret-input.tsx';
import { CodeField, codesOf } from '../parts/sign-in/code-field.tsx';
import { PasskeyButton } from '../parts/sign-in/passkey-button.tsx';
import { passkeysWork } from '../parts/sign-in/passkeys.ts';
import { SsoNotice, SsoOffer } from './sso-offer.tsx';

/** The page for whoever is not signed in. */
export function SignIn() {
  useEffect(() => {
    document.title = 'Sign in · Parley';
  }, []);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Card w="100%" maw={420} p="xl" shadow="sm">
        <Group gap="sm" mb="lg">
          <img src={iconUrl} alt="" width={36} height={36} />
          <Title order={1} size="h2">
            Sign in to Parley
          </Title>
        </Group>
        <SsoNotice />
        <Tabs defaultValue="password" keepMounted={false}>
          <Tabs.List grow mb="md">
            <Tabs.Tab value="password">With a password</Tabs.Tab>
            <Tabs.Tab value="token">With a token</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="password">
            <PasswordForm />
          </Tabs.Panel>
          <Tabs.Panel value="token">
            <TokenForm />
          </Tabs.Panel>
        </Tabs>
        <Text size="sm" c="dimmed" mt="lg">
          The first start of the server printed a user name, a password and a token in its terminal.{' '}
          <Anchor href={`${serverUrl}/docs`} size="sm" underline="always">
            API reference
          </Anchor>
        </Text>
      </Card>
    </Center>
  );
}

function useSignIn(form: { setErrors(errors: Record<string, string>): void }) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (credentials: Credentials) => signIn(client, credentials),
    onError: (error) => {
      if (error instanceof ApiProblem) form.setErrors({ ...error.fields });
    },
  });
}

/** The codes with which the API says that the password is right, and what is missing. */
const nextSteps = ['otp_required', 'passkey_required'];

function PasswordForm() {
  const form = useForm({ initialValues: { username: '', password: '' } });
  const { mutate, mutateAsync, isPending, error } = useSignIn(form);
  const [next, setNext] = useState('');
  const [codes, setCodes] = useState({ code: '', isRecovery: false });
  const [problem, setProblem] = useState<unknown>(null);
  const said = error instanceof ApiProblem ? error : undefined;
  useEffect(() => {
    if (said && nextSteps.includes(said.code)) setNext(said.code);
  }, [said]);
  const onlyRecovery = next === 'passkey_required';
  const send = (values: { username: string; password: string }) => {
    setProblem(null);
    mutate({ ...values, ...(next && codesOf({ ...codes, isRecovery: codes.isRecovery || onlyRecovery })) });
  };
  const passkey = passkeysWork() && (
    <>
      {!next && <Divider label="or" />}
      <PasskeyButton
        label="Sign in with a passkey"
        use={(passkey) => mutateAsync({ passkey })}
        onProblem={setProblem}
      />
    </>
  );
  return (
    <form onSubmit={form.onSubmit(send)}>
      <Stack>
        <Refusal error={problem ?? (said && nextSteps.includes(said.code) ? null : error)} shown={shownFields} />
        {next ? (
          <>
            <CodeField
              values={codes}
              onlyRecovery={onlyRecovery}
              error={said?.fields['otp'] ?? said?.fields['recovery_code']}
              onChange={setCodes}
            />
            <Button type="submit" loading={isPending}>
              Sign in
            </Button>
            {passkey}
            <Anchor component="button" type="button" size="sm" onClick={() => setNext('')}>
              Back
            </Anchor>
          </>
        ) : (
          <>
            <TextInput
              label="User name"
              autoComplete="username"
              required
              data-autofocus
              {...form.getInputProps('username')}
            />
            <SsoOffer username={form.values.username} onProblem={setProblem} />
            <SecretInput
              label="Password"
              autoComplete="current-password"
              required
              {...form.getInputProps('password')}
            />
            <Button type="submit" loading={isPending}>
              Sign in
            </Button>
            {passkey}
          </>
        )}
      </Stack>
    </form>
  );
}
const shownFields = ['username', 'password', 'otp', 'recovery_code'];

function TokenForm() {
  const form = useForm({ initialValues: { token: '' } });
  const { mutate, isPending, error } = useSignIn(form);
  return (
    <form onSubmit={form.onSubmit(({ token }) => mutate({ token: token.trim() }))}>
      <Stack>
        <Refusal error={error} shown={['token']} />
        <SecretInput label="Token" autoComplete="off" required {...form.getInputProps('token')} />
        <Button type="submit" loading={isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

/** What is not said at a field. */
function Refusal({ error, shown }: { error: unknown; shown: string[] }) {
  if (!error) return null;
  if (error instanceof ApiProblem && Object.keys(error.fields).some((field) => shown.includes(field))) return null;
  return (
    <Alert color="red" role="alert">
      {sayProblem(error)}
    </Alert>
  );
}
