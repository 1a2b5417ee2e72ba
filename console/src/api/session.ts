import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ours, serverUrl } from './client.ts';
import { keepLanguage } from './language.ts';
import { setGranted } from './may.ts';
import { ApiProblem } from './problem.ts';

export interface Session {
  account: { uuid: string; name: string; time_zone: string; default_country: string };
  user: {
    uuid?: string;
    username: string;
    role?: string | null;
    full_name?: string;
    language_code?: string | null;
    time_zone?: string | null;
    must_change_password?: boolean;
  } | null;
  scopes: string[];
  expires: string | null;
  /** All that can be done is to set up the second factor that the account requires. */
  second_factor_setup_required: boolean;
  /** Who vouched for them; null: they signed in by other means. */
  identity_provider?: { uuid: string; name: string | null } | null;
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
    keepLanguage((said as Session).user?.language_code);
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
  const { identity_provider } = client.getQueryData<Session>(key) ?? {};
  const elsewhere = identity_provider ? await signOutThere() : await ask('DELETE').catch(() => null);
  // The page of the provider comes in place of ours.
  if (typeof elsewhere === 'string') window.location.assign(elsewhere);
  else forget(client);
}

/** Ends the session, and answers where one signs out of the identity provider; null: nowhere. */
async function signOutThere(): Promise<string | null> {
  const url = `${serverUrl}/v2/auth/sso/sign-out/`;
  const answer = await fetch(url, { method: 'POST', credentials: 'same-origin', headers: ours }).catch(() => null);
  const said = answer?.ok ? await answer.json().catch(() => null) : null;
  return said?.logout_url ?? null;
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
