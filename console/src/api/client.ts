import createClient from 'openapi-fetch';
import { noteEtag } from './etags.ts';
import { refusalOf } from './may.ts';
import { notifications } from './notifications.ts';
import { ApiProblem } from './problem.ts';
import type { Answer, Body, Method, Params, PathsWith, paths, Query } from './types.ts';
import { keepWarnings, warningsOf } from './warnings.ts';

/** The server's address without a slash at its end; the console lives one step below it. */
export const serverUrl = new URL('..', document.baseURI).href.replace(/\/$/, '');

/** Told to the server with each change, which no other site can do: it is how the server knows that we ask, and not they. */
export const ours = { 'X-Requested-With': 'parley-console' };

/** The plain client of openapi-fetch, for what `call` does not cover (files, other media types). */
export const api = createClient<paths>({ baseUrl: serverUrl, credentials: 'same-origin', headers: ours });

/** What to do when the server does not know us (any more). Set by the session. */
let onSignedOut = () => {};
export const whenSignedOut = (act: () => void): void => {
  onSignedOut = act;
};

/** What to do when the server refuses what we believed to be allowed: our scopes have changed. Set by the session. */
let onRefused = () => {};
export const whenRefused = (act: () => void): void => {
  onRefused = act;
};

/** Asks whoever is signed in to prove that it is they; resolves to whether they did. Set by the app. */
let onConfirm: () => Promise<boolean> = async () => false;
export const whenToConfirm = (ask: () => Promise<boolean>): void => {
  onConfirm = ask;
};

export interface CallOptions<P extends keyof paths, M extends Method> {
  params?: Params<P, M>;
  query?: Query<P, M>;
  /** An object becomes JSON; a FormData goes as it is, for uploads. */
  body?: Body<P, M> | FormData;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** The version that the change is based on: 412 `precondition_failed` if the object has another one by now. */
  ifMatch?: string | undefined;
  /** Whoever is signed in was asked already whether it is they. */
  isConfirmed?: boolean;
}

/**
 * One request; resolves to the body of the answer, throws an `ApiProblem`.
 * `await call('post', '/v2/lists/', { body: { name: 'Friends' } })`
 */
export async function call<M extends Method, P extends PathsWith<M>>(
  method: M,
  path: P,
  options: CallOptions<P, M> = {},
): Promise<Answer<P, M>> {
  const { params, query, body, signal, ifMatch } = options;
  const headers = { ...options.headers, ...(ifMatch !== undefined && { 'If-Match': ifMatch }) };
  const refusal = refusalOf(method, path);
  if (refusal) throw refusal;
  const { data, error, response } = await send(method, path, {
    params: { path: params, query: withoutEmpty(query) },
    body,
    signal,
    headers,
    ...(body instanceof FormData && { bodySerializer: (form: FormData) => form }),
  });
  if (response.ok) {
    noteEtag(data, response.headers.get('etag'));
    const warnings = warningsOf(response.headers.get('parley-warnings'));
    sayWarnings(warnings);
    if (method !== 'get') keepWarnings(data, warnings);
    return data as Answer<P, M>;
  }
  if (response.status === 401) onSignedOut();
  const problem = new ApiProblem(response.status, error, response.headers.get('x-request-id'));
  if (problem.code === 'reauthentication_required') {
    // Once: the request is not repeated for ever.
    if (!options.isConfirmed && (await onConfirm())) return call(method, path, { ...options, isConfirmed: true });
  } else if (response.status === 403) onRefused();
  throw problem;
}

/** They stay until somebody has read them. */
function sayWarnings(warnings: string[]): void {
  for (const message of warnings) {
    notifications.show({ color: 'yellow', title: 'Warning', message, autoClose: false });
  }
}

async function send(method: Method, path: string, init: object) {
  try {
    return await api.request(method, path as never, init as never);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiProblem(0, null);
  }
}

/** An empty filter is no filter. */
const withoutEmpty = (query: object | undefined) =>
  query && Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''));

/** The address of a file of the API, for `src`, `href` and downloads: `urlOf('/v2/voice/calls/{uuid}/recording/', { uuid })`. */
export function urlOf<P extends PathsWith<'get'>>(path: P, params?: Params<P>, query?: Query<P>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent((params as Record<string, string> | undefined)?.[name] ?? ''),
  );
  const pairs = Object.entries(withoutEmpty(query) ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  );
  const text = new URLSearchParams(pairs).toString();
  return `${serverUrl}${filled}${text && `?${text}`}`;
}
