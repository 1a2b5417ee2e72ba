import { Alert, Anchor, Button, Card, Center, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { call } from '../api/index.ts';
import { ApiProblem, sayProblem } from '../api/problem.ts';
import { signIn } from '../api/session.ts';
import iconUrl from '../icon.svg?inline';
import { SecretInput } from '../parts/actions/secret-input.tsx';

type Shown = Awaited<ReturnType<typeof show>>;
const show = (secret: string) => call('post', '/v2/auth/invitation/', { body: { secret } });

/** The page that the link of an invitation or of a password reset leads to. */
export default function Invitation({ secret }: { secret: string }) {
  const { data, error } = useQuery({ queryKey: ['invitation', secret], queryFn: () => show(secret), retry: false });
  useEffect(() => {
    document.title = 'Invitation · Parley';
  }, []);
  const isReset = data?.kind === 'RESET';
  return (
    <Center component="main" mih="100dvh" p="md">
      <Card w="100%" maw={440} p="xl" shadow="sm">
        <Group gap="sm" mb="lg">
          <img src={iconUrl} alt="" width={36} height={36} />
          <Title order={1} size="h2">
            {isReset ? 'Set a new password' : 'Join Parley'}
          </Title>
        </Group>
        {data ? <Form secret={secret} shown={data} /> : error ? <Gone error={error} /> : <Skeleton h={240} />}
      </Card>
    </Center>
  );
}

const Gone = ({ error }: { error: unknown }) => (
  <Stack>
    <Alert color="orange" role="alert">
      {error instanceof ApiProblem && error.status === 404
        ? 'This link was used already, was revoked, or has expired. Ask for another.'
        : sayProblem(error)}
    </Alert>
    <Anchor component={Link} href="/" size="sm">
      Sign in
    </Anchor>
  </Stack>
);

function Form({ secret, shown }: { secret: string; shown: Shown }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const isReset = shown.kind === 'RESET';
  const form = useForm({ initialValues: { username: shown.username, full_name: '', password: '' } });
  const accept = useMutation({
    mutationFn: async ({ username, full_name, password }: typeof form.values) => {
      const body = { secret, password, ...(!isReset && { username, full_name }) };
      const made = await call('post', '/v2/auth/invitation/accept/', { body });
      navigate('/', { replace: true });
      await signIn(client, { username: made.username, password });
    },
    onError: (error) => {
      if (!(error instanceof ApiProblem)) return;
      for (const [field, sentence] of Object.entries(error.fields)) form.setFieldError(field, sentence);
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => accept.mutate(values))}>
      <Stack>
        <Text size="sm">
          {isReset
            ? `For ${shown.username} of ${shown.account_name}.`
            : `You are invited to ${shown.account_name} as ${shown.role}.`}
        </Text>
        {accept.error && !(accept.error instanceof ApiProblem && accept.error.status === 400) && (
          <Alert color="red" role="alert">
            {sayProblem(accept.error)}
          </Alert>
        )}
        {!isReset && (
          <>
            <TextInput
              label="User name"
              description="To sign in with; an e-mail address will do."
              required
              maxLength={150}
              autoComplete="username"
              {...form.getInputProps('username')}
            />
            <TextInput label="Full name" maxLength={150} autoComplete="name" {...form.getInputProps('full_name')} />
          </>
        )}
        <SecretInput
          label="Password"
          description="At least 10 characters, and not one that is common."
          required
          maxLength={1000}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={accept.isPending}>
          {isReset ? 'Set password and sign in' : 'Join and sign in'}
        </Button>
      </Stack>
    </form>
  );
}
