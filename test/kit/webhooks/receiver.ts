import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Deps } from '../../../src/deps.ts';
import { announce } from '../../../src/domains/webhooks/announce.ts';
import { startWebhookDelivery } from '../../../src/domains/webhooks/deliver/delivery.ts';
import { until } from '../until.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}
export type Answering = (answer: ServerResponse, request: Received) => void;

export const status =
  (code: number, headers = {}): Answering =>
  (answer) =>
    answer.writeHead(code, headers).end('no');

/** What a receiver does by the specification: the signature of `id.timestamp.body`, one of the listed ones matching. */
export function verifies({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}

/** A receiver whose answer can be changed, and what it got. */
export async function startReceiver(answering: Answering = (answer) => answer.end()) {
  const received: Received[] = [];
  const server = createServer(async (request, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const got = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() };
    received.push(got);
    receiver.answering(answer, got);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver = {
    received,
    answering,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return receiver;
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** The part of a test's application that delivery needs. */
interface Api {
  deps: Deps;
  accountId: string;
  call(
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    body?: unknown,
    // biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it likes
  ): Promise<{ status: number; body: any }>;
}

/** Delivery whose time passes when a test says so, with receivers for it. The application runs no worker of its own. */
export function startStage(app: Api) {
  let offsetMs = 0;
  const deps = { ...app.deps, clock: { now: () => new Date(Date.now() + offsetMs) } };
  const worker = startWebhookDelivery(deps);
  const receivers: Receiver[] = [];
  const delivery = async (uuid: string) => (await app.call('GET', `/v2/webhook-deliveries/${uuid}/`)).body;
  return {
    deps,
    pass(ms: number): void {
      offsetMs += ms;
      worker.wake();
    },
    backToNow(): void {
      offsetMs = 0;
    },
    async receiver(answering?: Answering): Promise<Receiver> {
      const receiver = await startReceiver(answering);
      receivers.push(receiver);
      return receiver;
    },
    async create(url: string, more = {}, collection = '/v2/chatapp/webhooks/') {
      const answer = await app.call('POST', collection, { url, ...more });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return answer.body;
    },
    remove: (uuid: string) => app.call('DELETE', `/v2/chatapp/webhooks/${uuid}/`),
    ping: async (uuid: string) => (await app.call('POST', `/v2/chatapp/webhooks/${uuid}/test/`)).body,
    webhook: async (uuid: string) => (await app.call('GET', `/v2/chatapp/webhooks/${uuid}/`)).body,
    delivery,
    attempted: (uuid: string, times: number) =>
      until(
        () => delivery(uuid),
        (one) => one.attempt_count >= times,
      ),
    ended: (uuid: string, status: string) =>
      until(
        () => delivery(uuid),
        (one) => one.status === status,
      ),
    heard: ({ received }: Receiver, count: number) =>
      until(
        () => received.length,
        (length) => length >= count,
      ),
    announceStatus: (data: object, more: { callbackUrl?: string; accountId?: string } = {}) =>
      announce(deps.db, deps, [
        { accountId: app.accountId, type: 'chatapp.message.status', data: { ...data }, ...more },
      ]),
    async close(): Promise<void> {
      await Promise.all(receivers.map((receiver) => receiver.close()));
      await worker.stop();
    },
  };
}
