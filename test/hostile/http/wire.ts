import assert from 'node:assert/strict';
import { startTestApp, type TestApp } from '../../kit/app.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape, looked into and asserted by the tests
type Any = any;

export interface Served extends TestApp {
  /** Where it listens. */
  url: string;
  /** Asks over a socket, with the first account's token unless another is given. A form is sent as it is. */
  ask(method: string, path: string, body?: unknown, token?: string): Promise<{ status: number; body: Any }>;
  /** The same for what must be granted. */
  get(path: string, token?: string): Promise<Any>;
  post(path: string, body: unknown, token?: string): Promise<Any>;
}

/** The product, listening on a port of its own. */
export async function serve(env: Record<string, string> = {}): Promise<Served> {
  const app = await startTestApp(env);
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const ask: Served['ask'] = async (method, path, body, token = app.token) => {
    const isJson = body !== undefined && !(body instanceof FormData);
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Token ${token}`, ...(isJson && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text };
  };
  const granted = async (...[method, path, body, token]: Parameters<Served['ask']>) => {
    const answer = await ask(method, path, body, token);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    ...app,
    url,
    ask,
    get: (path, token) => granted('GET', path, undefined, token),
    post: (path, body, token) => granted('POST', path, body, token),
  };
}
