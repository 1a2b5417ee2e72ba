import { call } from './client.ts';

export interface Offered {
  uuid: string;
  name: string;
}

/** The identity providers by which people of an address's domain sign in. */
export const findProviders = async (email: string): Promise<Offered[]> =>
  (await call('post', '/v2/auth/sso/providers/', { body: { email } })).results;

/** Under which path the console is served, without a slash at the end. */
const base = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** The page of the console that is shown now, to come back to. */
const here = (): string => {
  const { pathname, search } = window.location;
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : '/';
  const query = new URLSearchParams(search);
  for (const name of ['sso', 'sso_error']) query.delete(name);
  return `${path || '/'}${query.size > 0 ? `?${query}` : ''}`;
};

/** Leaves for a provider; whoever comes back is signed in, at the page where they were. */
export async function leaveForProvider(provider: string, { reauthenticate = false } = {}): Promise<void> {
  const body = { provider, return_to: here(), reauthenticate };
  const { authorization_url } = await call('post', '/v2/auth/sso/start/', { body });
  window.location.assign(authorization_url);
}
