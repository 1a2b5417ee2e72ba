import { operationScopes } from './operation-scopes.ts';
import { ApiProblem } from './problem.ts';
import type { Method, paths } from './types.ts';

/** The scopes of whoever is signed in; null: nobody is, and the server decides. */
let granted: readonly string[] | null = null;
let account = '';

/** Told by the session who is signed in. */
export function setGranted(session: { scopes: readonly string[]; account: { name: string } } | null): void {
  granted = session?.scopes ?? null;
  account = session?.account.name ?? '';
}

/** The groups that are part of a wider one, as `src/platform/http/route.ts` has them. */
export const widerGroups: Readonly<Record<string, string>> = {
  inbox: 'chatapp',
  leads: 'chatapp',
  calls: 'voice',
  recordings: 'voice',
  users: 'account',
  tokens: 'account',
  billing: 'account',
  scim: 'account',
  audit: 'account',
};

/** Whether these scopes cover that one: `inbox:write` is covered by itself, by `chatapp:write` and by `write`. */
export function covers(scopes: readonly string[], wanted: string): boolean {
  if (scopes.includes(wanted)) return true;
  const [group = '', action] = wanted.split(':');
  return action !== undefined && (scopes.includes(action) || scopes.includes(`${widerGroups[group]}:${action}`));
}

/** The scope that an operation needs; undefined: none. */
function scopeOf(method: Method, path: string): string | undefined {
  const known = operationScopes[path];
  return typeof known === 'string' ? `${known}:${method === 'get' ? 'read' : 'write'}` : known?.[method];
}

/** Whether whoever is signed in may call this operation. */
export function mayCall(method: Method, path: keyof paths): boolean {
  const scope = scopeOf(method, path);
  return scope === undefined || granted === null || covers(granted, scope);
}

/** Who can change that something is not allowed. */
export const sayWhoGrants = (scope: string): string =>
  scope === 'operator'
    ? 'The operator of the server can do it.'
    : `An owner of ${account || 'the account'} can give you ${scope}.`;

/** What the server would answer, without asking it. */
export function refusalOf(method: Method, path: string): ApiProblem | null {
  const scope = scopeOf(method, path);
  if (scope === undefined || granted === null || covers(granted, scope)) return null;
  const deed = method === 'get' ? 'see this' : 'do this';
  return new ApiProblem(403, { detail: `You may not ${deed}. ${sayWhoGrants(scope)}`, code: 'permission_denied' });
}
