import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Router, useLocation } from 'wouter';
import { freshForMs } from './api/arrival.ts';
import { whenRefused, whenSignedOut, whenToConfirm } from './api/client.ts';
import { isLoopback } from './api/loopback.ts';
import { useWanted } from './api/notifications.ts';
import { ApiProblem } from './api/problem.ts';
import { forget, reconsider, sessionQuery } from './api/session.ts';
import { startLive, whenBack } from './live/index.ts';
import { nonce } from './nonce.ts';
import { AccountProvider } from './parts/account.tsx';
import { aroundNavigation } from './parts/actions/unsaved.ts';
import { lazily } from './parts/loading/lazily.ts';
import { Problem } from './parts/page/problem.tsx';
import { AreaRoutes } from './shell/area-routes.tsx';
import { cssVariables, theme } from './theme.ts';

/** What the server refused it refuses again; what did not arrive may. */
const mayArrive = (error: unknown): boolean =>
  error !== null && (!(error instanceof ApiProblem) || [0, 502, 503, 504].includes(error.status));

/** Whoever is signed in does not need it. */
const SignIn = lazily(() => import('./shell/sign-in.tsx').then((module) => ({ default: module.SignIn })));

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshForMs,
      retry: (failures, error) => failures < 2 && mayArrive(error),
      // After an outage every page comes back by itself, also where no events are to be had.
      refetchInterval: ({ state }) => (state.status === 'error' && mayArrive(state.error) ? 4000 : false),
    },
  },
});
whenSignedOut(() => forget(client));
whenRefused(() => reconsider(client));
whenBack(() => void client.invalidateQueries());

whenToConfirm(async () => {
  const { confirmItIsYou } = await import('./shell/confirm-it-is-you.tsx');
  const session = client.getQueryData(sessionQuery.queryKey);
  return confirmItIsYou({ isPerson: Boolean(session?.user), provider: session?.identity_provider });
});
const SetUpFactor = lazily(() => import('./shell/set-up-factor.tsx'));

/** Under which path the console is served, without a slash at the end. */
const base = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** Everything: the providers, then the sign-in page or the areas. */
export const App = () => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
  >
    <QueryClientProvider client={client}>
      <Router base={base} aroundNav={aroundNavigation}>
        <ModalsProvider>
          <ShortMessages />
          <Gate />
        </ModalsProvider>
      </Router>
    </QueryClientProvider>
  </MantineProvider>
);

const Messages = lazily(() => import('./shell/messages.tsx'));

function ShortMessages() {
  return useWanted() ? (
    <Suspense>
      <Messages />
    </Suspense>
  ) : null;
}

/** For whoever comes with a link, and for whoever still has the printed password: seldom seen, so loaded when they are. */
const Invitation = lazily(() => import('./shell/invitation.tsx'));
const PrintedPassword = lazily(() => import('./shell/printed-password.tsx'));

function Gate() {
  const [location] = useLocation();
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const account = session?.account.uuid;
  const isLimited = session?.second_factor_setup_required;
  useEffect(() => (account && !isLimited ? startLive() : undefined), [account, isLimited]);
  const [, secret] = /^\/invitation\/([^/]+)$/.exec(location) ?? [];
  if (secret) {
    return (
      <Suspense>
        <Invitation secret={secret} />
      </Suspense>
    );
  }
  if (session?.user?.must_change_password && !isLimited && !isLoopback) {
    return (
      <AccountProvider session={session}>
        <Suspense>
          <PrintedPassword />
        </Suspense>
      </AccountProvider>
    );
  }
  if (session?.second_factor_setup_required) {
    return (
      <AccountProvider session={session}>
        <Suspense>
          <SetUpFactor />
        </Suspense>
      </AccountProvider>
    );
  }
  if (session) {
    return (
      <AccountProvider session={session}>
        <AreaRoutes />
      </AccountProvider>
    );
  }
  if (session === null)
    return (
      <Suspense>
        <SignIn />
      </Suspense>
    );
  return error ? <Problem error={error} retry={() => void refetch()} /> : null;
}
