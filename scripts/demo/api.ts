import { setTimeout as sleep } from 'node:timers/promises';

/** What the demo may do: call the public API, as any client could. */
export interface Api {
  get<T = Json>(path: string): Promise<T>;
  post<T = Json>(path: string, body?: object): Promise<T>;
  patch<T = Json>(path: string, body: object): Promise<T>;
  put<T = Json>(path: string, body: object): Promise<T>;
  delete(path: string): Promise<void>;
  upload<T = Json>(path: string, file: { name: string; type: string; bytes: Buffer }, fields?: Fields): Promise<T>;
  /** Opens a public link as the browser of somebody's telephone does; answers where it leads. */
  open(link: string, phone: string): Promise<string>;
}
type Fields = Record<string, string>;
// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field, and the tests of the API know their shapes
export type Json = any;

export function makeApi(url: string, token: string): Api {
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Json> => {
    const headers = { Authorization: `Token ${token}`, ...(init.headers as Fields) };
    const response = await fetch(url + path, { ...init, method, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 500)}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const withBody = (method: string) => (path: string, body?: object) =>
    send(method, path, {
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
  return {
    get: (path) => send('GET', path),
    post: withBody('POST'),
    patch: withBody('PATCH'),
    put: withBody('PUT'),
    delete: (path) => send('DELETE', path),
    upload(path, { name, type, bytes }, fields = {}) {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.set(field, value);
      form.set('file', new Blob([new Uint8Array(bytes)], { type }), name);
      return send('POST', path, { body: form });
    },
    async open(link, phone) {
      const code = link.split('/').at(-1);
      const response = await fetch(`${url}/l/${code}`, {
        redirect: 'manual',
        headers: { 'User-Agent': browserOf(phone) },
      });
      if (response.status !== 302) throw new Error(`${link} was answered ${response.status}`);
      return response.headers.get('location')!;
    },
  };
}

/** Who opens a link without saying so is taken for a crawler, and two who say the same are one visitor. */
const browserOf = (phone: string): string =>
  `Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.${phone.slice(-3)} Mobile Safari/537.36`;

/** Asks again until there is an answer; what never comes is named. */
export async function until<T>(what: string, ask: () => Promise<T | undefined | false>, seconds = 60): Promise<T> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`Waited ${seconds} seconds in vain for ${what}.`);
    await sleep(100);
  }
}

/** Does the work for all items, so many at a time, and answers in their order. */
export async function each<T, U>(items: readonly T[], work: (item: T, index: number) => Promise<U>, width = 8) {
  const results: U[] = [];
  const queue = items.entries();
  const run = async () => {
    for (const [index, item] of queue) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: width }, run));
  return results;
}

/** The result of a job, once it has ended. */
export const jobDone = (api: Api, id: string): Promise<Json> =>
  until(`job ${id}`, async () => {
    const job = await api.get(`/v3/jobs/${id}/`);
    return ['SUCCEEDED', 'FAILED', 'CANCELLED'].includes(job.status) && job;
  });
