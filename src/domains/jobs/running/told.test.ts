import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { stageOf } from '../../../../test/kit/jobs/job-stage.ts';
import { until } from '../../../../test/kit/until.ts';
import { startWebhookDelivery } from '../../webhooks/index.ts';
import { startJobs } from '../index.ts';

const input = { from: 'Parley', to: ['+447700900123'], text: 'Hello' };

describe('Who is told that a job has ended', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  let stage: ReturnType<typeof stageOf>;
  let working: { stop(): Promise<void> }[] = [];
  before(async () => {
    app = await startTestApp({ ROLES: 'api', WEBHOOK_ALLOW_PRIVATE: 'true' });
    stage = stageOf(app);
    working = [startJobs(app.deps), startWebhookDelivery(app.deps)];
  });
  const servers: ReturnType<typeof createServer>[] = [];
  after(async () => {
    for (const one of working) await one.stop();
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    await app.close();
  });

  /** An address that answers with a status, and what came there. */
  const startReceiver = async (status = 200) => {
    const received: { headers: IncomingHttpHeaders; body: string }[] = [];
    const server = createServer(async (request, answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      answer.writeHead(status).end();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/job` };
  };
  const heard = (receiver: Awaited<ReturnType<typeof startReceiver>>, count = 1) =>
    until(
      async () => receiver.received.length,
      (length) => length >= count,
    );

  it('the callback: the job as it is shown, signed as standardwebhooks verifies', async () => {
    const receiver = await startReceiver();
    const { secret } = (await app.call('POST', '/v2/account/callback-secret/')).body;
    const id = await stage.submit('sms.send', input, { callback_url: receiver.url });
    const job = await stage.ended(id);
    await heard(receiver);
    const [{ headers, body }] = receiver.received as [{ headers: Record<string, string>; body: string }];
    const opened = new Webhook(secret).verify(body, headers) as { type: string; data: object };
    assert.deepEqual([opened.type, opened.data], ['job.finished', job]);
    assert.equal(job.callback_url, receiver.url);
  });

  it('webhooks that listen to job.finished, also when it was cancelled', async () => {
    const receiver = await startReceiver();
    await app.call('POST', '/v2/chatapp/webhooks/', { url: receiver.url, events: ['job.finished'] });
    const done = await stage.submit('sms.send', input);
    await stage.ended(done);
    await working[0]!.stop();
    const cancelled = await stage.submit('sms.send', input);
    await app.call('POST', `/v3/jobs/${cancelled}/cancel/`);
    await heard(receiver, 2);
    const told = receiver.received.map(({ body }) => JSON.parse(body).data);
    assert.deepEqual(
      told.map(({ id, status }) => [id, status]).sort(),
      [
        [done, 'SUCCEEDED'],
        [cancelled, 'CANCELLED'],
      ].sort(),
    );
    working[0] = startJobs(app.deps);
  });

  it('a callback that fails is tried again, and the job stays as it is', async () => {
    const receiver = await startReceiver(500);
    const id = await stage.submit('sms.send', input, { callback_url: receiver.url });
    await stage.ended(id);
    const deliveries = async () =>
      (await app.call('GET', '/v2/webhook-deliveries/?type=job.finished&page_size=200')).body.results.filter(
        ({ url }: { url: string }) => url === receiver.url,
      );
    const [delivery] = await until(deliveries, ([one]) => one?.attempt_count >= 1);
    assert.deepEqual([delivery.status, delivery.last_status_code], ['PENDING', 500]);
    assert.ok(delivery.next_attempt !== null);
    assert.equal((await stage.job(id)).status, 'SUCCEEDED');
  });
});
