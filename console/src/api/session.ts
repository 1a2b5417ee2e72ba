import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ours, serverUrl } from './client.ts';
import { setGranted } from './may.ts';
import { ApiProblem } from './problem.ts';

export interface Session {
  account: { uuid: string; name: string; time_zone: string; default_country: string };
  user: {
    uuid?: string;
    username: string;
    role?: string | null;
    full_name?: string;
    time_zone?: string | null;
    must_change_password?: boolean;
  } | null;
  scopes: string[];
  expires: string | null;
  /** All that can be done is to set up the second factor that the account requires. */
  second_factor_setup_required: boolean;
}

export type Credentials =
  | { username: string; password: string; otp?: string; recovery_code?: string }
  | { passkey: object }
  | { token: string };

const key = ['/v2/auth/session/'];

async function ask(method: string, body?: object): Promise<Session | null> {
  const answer = await fetch(`${serverUrl}/v2/auth/session/`, {
    method,
    credentials: 'same-origin',
    headers: { ...ours, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiProblem(0, null);
  });
  if (answer.status === 204) return null;
  const said = await answer.json().catch(() => null);
  if (answer.ok) {
    setGranted(said as Session);
    return said as Session;
  }
  throw new ApiProblem(answer.status, said, answer.headers.get('x-request-id'));
}

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: key,
  queryFn: () =>
    ask('GET').catch((error) => {
      if (error instanceof ApiProblem && error.status === 401) return null;
      throw error;
    }),
  staleTime: Number.POSITIVE_INFINITY,
});

export async function signIn(client: QueryClient, credentials: Credentials): Promise<void> {
  client.setQueryData(key, await ask('POST', credentials));
}

/** Ends the session on the server, and forgets here all that it showed. */
export async function signOut(client: QueryClient): Promise<void> {
  await ask('DELETE').catch(() => null);
  forget(client);
}

/** The server does not know us any more: back to the sign-in page. */
export function forget(client: QueryClient): void {
  setGranted(null);
  client.setQueryData(key, null);
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== key[0] });
}

let askedAt = 0;

/** Asks once more what we may do, though not again and again. */
export function reconsider(client: QueryClient): void {
  if (Date.now() - askedAt < 10_000) return;
  askedAt = Date.now();
  void client.invalidateQueries({ queryKey: key });
}
