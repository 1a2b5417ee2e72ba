import type { Outbound } from './client.ts';

export interface FetchOptions {
  /** For each exchange. */
  timeoutMs: number;
  mostBytes: number;
}

/** What libraries call in place of `fetch`. */
export type GuardedFetch = (
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: unknown; signal?: AbortSignal | null },
) => Promise<Response>;

/** Answers without a body, of which `Response` takes none (Fetch, 2.2.3). */
const bodiless = [204, 205, 304];

/** A `fetch` for libraries that goes to allowed addresses only, follows no redirect, and ends in time. */
export const makeFetch =
  (outbound: Outbound, { timeoutMs, mostBytes }: FetchOptions): GuardedFetch =>
  async (url, { method = 'GET', headers = {}, body, signal }) => {
    if (method !== 'GET' && method !== 'POST') throw new Error(`${method} is not asked for here.`);
    const { status, text, ...answer } = await outbound.send({
      url,
      method,
      headers,
      body: textOf(body),
      timeoutMs,
      mostBytes,
      ...(signal && { signal }),
    });
    if (status < 200 || status > 599) throw new Error(`The server answered with status ${status}.`);
    const given = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    );
    return new Response(bodiless.includes(status) ? null : text, { status, headers: given });
  };

function textOf(body: unknown): string {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8');
  return String(body);
}
