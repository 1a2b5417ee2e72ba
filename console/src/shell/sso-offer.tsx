import { Alert, Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBuilding } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sayProblem } from '../api/problem.ts';
import { findProviders, leaveForProvider } from '../api/sso.ts';

/** Why somebody came back from their provider without being signed in; the codes are the server's. */
const failures: Record<string, string> = {
  expired: 'It took too long, or the page was opened twice. Try again.',
  other_browser: 'The sign-in was begun in another browser. Begin again here.',
  provider_disabled: 'This way to sign in has been switched off.',
  denied: 'Your identity provider did not let you in.',
  provider_error:
    'The identity provider gave an answer that cannot be used. An administrator sees why in the settings.',
  email_missing: 'Your identity provider does not tell your e-mail address. Ask an administrator.',
  email_unverified: 'Your identity provider does not say that your e-mail address is verified. Ask an administrator.',
  domain_refused: 'Addresses of your domain are not admitted.',
  no_user: 'You are not a user here yet. Ask an administrator to invite you.',
  no_role: 'None of your groups may use this. Ask an administrator.',
  name_taken: 'Your e-mail address is the user name of somebody in another account. Ask an administrator.',
  name_unfit: 'Your e-mail address cannot be a user name. Ask an administrator.',
  refused: 'Your account cannot be used. Ask an administrator.',
};

/** What became of a sign-in by a provider, and the start of one for whoever followed a link to it. */
export function SsoNotice() {
  const query = new URLSearchParams(window.location.search);
  const failure = query.get('sso_error');
  const wanted = query.get('sso');
  const { mutate, error, isPending } = useMutation({ mutationFn: (provider: string) => leaveForProvider(provider) });
  useEffect(() => {
    if (wanted) mutate(wanted);
  }, [wanted, mutate]);
  if (wanted && !error) return isPending ? <Alert mb="md">Leaving for your identity provider…</Alert> : null;
  if (!failure && !error) return null;
  return (
    <Alert color="red" role="alert" mb="md" title="Single sign-on did not work">
      {error ? sayProblem(error) : (failures[failure ?? ''] ?? 'Try again.')}
    </Alert>
  );
}

const isAddress = /^[^@\s]+@[^@\s]+\.[^@\s]{2,}$/;

/** A button for each provider of the domain of what is typed as a user name. */
export function SsoOffer({ username, onProblem }: { username: string; onProblem(problem: unknown): void }) {
  const [typed] = useDebouncedValue(username.trim(), 300);
  const domain = isAddress.test(typed) ? typed.slice(typed.lastIndexOf('@') + 1).toLowerCase() : '';
  const { data = [] } = useQuery({
    queryKey: ['sso', domain],
    queryFn: () => findProviders(typed),
    enabled: domain !== '',
    // Who cannot be told of a provider signs in with a password.
    retry: false,
    refetchInterval: false,
  });
  const { mutate, isPending } = useMutation({
    mutationFn: (provider: string) => leaveForProvider(provider),
    onError: onProblem,
  });
  return domain === ''
    ? null
    : data.map(({ uuid, name }) => (
        <Button
          key={uuid}
          variant="light"
          leftSection={<IconBuilding size={18} stroke={1.7} />}
          loading={isPending}
          onClick={() => mutate(uuid)}
        >
          {`Continue with ${name}`}
        </Button>
      ));
}
