import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape, asserted where they are used
  body: any;
}

export interface Client {
  /** One try at one host; whatever goes wrong is thrown. */
  ask(host: number, method: string, place: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /**
   * Asks one host after the other until one of them answers for good, with the same key each time, and gives the body. `doneCode`
   * is the error of one who was asked before, when that answer was lost.
   */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  send(method: string, place: string, body?: unknown, key?: string, doneCode?: string): Promise<any>;
  /** How many tries came to nothing, by what was said. */
  readonly retried: ReadonlyMap<string, number>;
}

/** Longer than a server takes for anything; one that hangs is left. */
const deadlineMs = 60_000;
const pauseMs = 250;

/** What a good client does with several hosts: another one is tried when one does not answer, or says that it cannot now. */
export function makeClient(urls: readonly string[], token: string): Client {
  let turn = 0;
  const retried = new Map<string, number>();

  const ask: Client['ask'] = async (host, method, place, body, headers = {}) => {
    const isForm = body instanceof FormData;
    const answer = await fetch(urls[host % urls.length]! + place, {
      method,
      headers: {
        authorization: `Token ${token}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(deadlineMs),
    });
    const isJson = String(answer.headers.get('content-type')).includes('json');
    return { status: answer.status, body: isJson ? await answer.json() : Buffer.from(await answer.arrayBuffer()) };
  };

  /** Why it has to be tried again; undefined: that was the answer. */
  const reasonOf = ({ status, body }: Answer): string | undefined =>
    status === 503 || status === 429 || body?.code === 'idempotency_conflict' ? `${status} ${body?.code}` : undefined;

  return {
    ask,
    retried,
    async send(method, place, body, key, doneCode) {
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
      for (;;) {
        const answer = await ask(turn++, method, place, body, headers).catch((error: Error) => error);
        const reason = answer instanceof Error ? 'no answer' : reasonOf(answer);
        if (reason === undefined) {
          const { status, body: read } = answer as Answer;
          assert.ok(
            status < 300 || (doneCode && read?.code === doneCode),
            `${method} ${place} answered ${status} ${JSON.stringify(read)}`,
          );
          return read;
        }
        retried.set(reason, (retried.get(reason) ?? 0) + 1);
        await sleep(pauseMs);
      }
    },
  };
}

/** Does the work for each number below `count`, so many at a time. */
export async function forEach(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}
