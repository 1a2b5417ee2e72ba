// Each kind of connection that tenants cause has its own list of networks that are not public and yet allowed.
import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { type Smsc, startSmsc } from '../../simulators/smsc/index.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { startParley } from '../kit/program/parley-process.ts';
import { until } from '../kit/until.ts';
import { startReceiver } from '../kit/webhooks/receiver.ts';

const undo: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const step of undo.reverse()) await step();
});

const refusal = (setting: string) => [`This is not a public address. The server's setting ${setting} can allow it.`];
const sip = { SIP_HOST: '127.0.0.1', SIP_PORT: '0', RTP_PORTS: '30000-39999' };

async function start(env: Record<string, string>): Promise<TestApp> {
  const app = await startTestApp({ ...sip, ...env });
  undo.push(() => app.close());
  return app;
}

async function startCentre(): Promise<Smsc> {
  const smsc = await startSmsc({});
  undo.push(() => smsc.close());
  return smsc;
}

/** A SIP peer that only listens. */
async function startPeer(): Promise<{ socket: Socket; port: number }> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  undo.push(async () => socket.close());
  return { socket, port: socket.address().port };
}

const addLink = (app: TestApp, host: string, port: number, name = host) =>
  app.call('POST', '/v2/sms-links/', { name, host, port, system_id: 'parley', password: 'parley' });
const addTrunk = (app: TestApp, host: string, port: number) =>
  app.call('POST', '/v2/sip-trunks/', { name: host, host, port });
const addWebhook = (app: TestApp, url: string) => app.call('POST', '/v2/chatapp/webhooks/', { url });
const report = async (app: TestApp, channel: 'sms' | 'voice', name: string) =>
  (await app.call('GET', `/v2/network-status/${channel}/`)).body.results.find(
    (one: { name: string }) => one.name === name,
  );

describe('WEBHOOK_ALLOW_PRIVATE', () => {
  it('opens webhooks, and neither SIP nor SMPP, by address or by name', async () => {
    const app = await start({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    const smsc = await startCentre();
    assert.equal((await addWebhook(app, 'http://127.0.0.1:9/')).status, 201);
    for (const host of ['127.0.0.1', '10.0.0.1', '169.254.169.254']) {
      const link = await addLink(app, host, smsc.port);
      assert.deepEqual([link.status, link.body], [400, { host: refusal('SMPP_ALLOW') }]);
      const trunk = await addTrunk(app, host, 5060);
      assert.deepEqual([trunk.status, trunk.body], [400, { host: refusal('SIP_ALLOW') }]);
    }
    assert.equal((await addLink(app, 'localhost', smsc.port)).status, 201);
    assert.equal((await addTrunk(app, 'localhost', 5060)).status, 201);
    for (const channel of ['sms', 'voice'] as const) {
      const { last_error } = await until(
        () => report(app, channel, 'localhost'),
        (one) => /public/.test(one?.last_error),
      );
      assert.match(last_error, /^(127\.0\.0\.1|::1) is not a public address\.$/);
    }
    assert.equal(smsc.connections.size, 0);
  });
});

describe('WEBHOOK_ALLOW, SIP_ALLOW, SMPP_ALLOW', () => {
  it('each opens its networks for its own kind of connection', async () => {
    const receiver = await startReceiver();
    undo.push(() => receiver.close());
    const smsc = await startCentre();
    const peer = await startPeer();
    const port = Number(new URL(receiver.url).port);
    const app = await start({
      WEBHOOK_ALLOW: '127.0.0.1',
      SIP_ALLOW: '127.0.0.0/31, 10.1.0.0/16',
      SMPP_ALLOW: '127.0.0.0/30',
    });

    for (const host of ['127.0.0.2', '10.1.0.1', '[::1]', '[::ffff:127.0.0.2]']) {
      assert.deepEqual(
        (await addWebhook(app, `http://${host}:${port}/`)).body,
        { url: refusal('WEBHOOK_ALLOW') },
        host,
      );
    }
    for (const host of ['127.0.0.2', '127.0.0.3', '::ffff:127.0.0.2']) {
      assert.deepEqual((await addTrunk(app, host, 5060)).body, { host: refusal('SIP_ALLOW') }, host);
    }
    for (const host of ['127.0.0.4', '10.1.0.1']) {
      assert.deepEqual((await addLink(app, host, smsc.port)).body, { host: refusal('SMPP_ALLOW') }, host);
    }
    // Each is opened by its own setting, and by no other.
    assert.equal((await addTrunk(app, '10.1.0.1', 5060)).status, 201);
    assert.equal((await addLink(app, '127.0.0.2', 9)).status, 201);

    const options = once(peer.socket, 'message');
    assert.equal((await addTrunk(app, '127.0.0.1', peer.port)).status, 201);
    assert.match(String((await options)[0]), /^OPTIONS sip:/);

    assert.equal((await addLink(app, '127.0.0.1', smsc.port)).status, 201);
    await until(
      () => smsc.connections.size,
      (count) => count > 0,
    );

    const sms = { from: 'Parley', to: '+447700900123', text: 'Hello', callback_url: receiver.url };
    assert.equal((await app.call('POST', '/v2/sms-senders/', { sender: 'Parley' })).status, 201);
    const sent = await app.call('POST', '/v2/send-sms/', sms);
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    await until(
      () => receiver.received.length,
      (count) => count > 0,
    );
  });

  it('an IPv4-mapped address is the IPv4 address inside', async () => {
    const app = await start({ WEBHOOK_ALLOW: '127.0.0.1', SMPP_ALLOW: '::ffff:127.0.0.0/104' });
    assert.equal((await addWebhook(app, 'http://[::ffff:127.0.0.1]:9/')).status, 201);
    assert.equal((await addLink(app, '127.0.0.1', 9)).status, 201);
    assert.equal((await addLink(app, '::ffff:127.0.0.2', 9)).status, 201);
    assert.deepEqual((await addLink(app, '::1', 9)).body, { host: refusal('SMPP_ALLOW') });
  });

  it('a network that is none ends the start with a sentence that names the setting', async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-allow-'));
    undo.push(() => rm(directory, { recursive: true, force: true }));
    const parley = startParley(path.join(directory, 'data'), { SMPP_ALLOW: '10.0.0.0/8,intranet' });
    assert.equal(await parley.ended, 1);
    assert.match(parley.output(), /^SMPP_ALLOW=10\.0\.0\.0\/8,intranet .*"intranet" is not a network.*\n$/);
  });
});
