import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Smsc, startSmsc } from '../../simulators/smsc/index.ts';
import { type CloudStage, startCloudStage } from '../cloud/stage.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

const nothing = { connected: false, verified: false, tested: false };

describe('GET /v2/account/go-live/ › in the sandbox', () => {
  let app: TestApp;
  let smsc: Smsc;
  before(async () => {
    app = await startTestApp({ SMPP_ALLOW: '127.0.0.0/8' });
    smsc = await startSmsc({ settings: { receiptAfterMs: 20 } });
  });
  after(async () => {
    await app.close();
    await smsc.close();
  });
  const read = async (token = app.token) => (await app.call('GET', '/v2/account/go-live/', undefined, { token })).body;

  it('nothing that the sandbox did counts', async () => {
    const { body } = await app.call('POST', '/v2/send-sms/', { from: 'Parley', to: '+447700900123', text: 'Hello' });
    await until('it is delivered', async () => {
      const sent = await app.call('GET', `/v2/send-sms/${body.uuid}/`);
      return sent.body.status === 'DELIVERED';
    });
    assert.equal((await app.call('POST', '/v2/number/', { country_code: 'GB' })).status, 201);
    assert.deepEqual(await read(), {
      sandbox: 'adopt',
      chatapp: nothing,
      sms: nothing,
      voice: nothing,
      number: false,
      webhook: { connected: false, verified: false },
      live: false,
    });
  });

  it('an SMS link is connected, up, and tested by an SMS that the SMS centre took; another account stays where it is', async () => {
    const link = await app.call('POST', '/v2/sms-links/', {
      name: 'Centre',
      host: smsc.host,
      port: smsc.port,
      system_id: 'parley',
      password: 'parley',
    });
    assert.equal(link.status, 201, JSON.stringify(link.body));
    await until('it is up', async () => (await read()).sms.verified);
    const connected = await read();
    assert.deepEqual(
      [connected.sandbox, connected.sms],
      ['registered', { ...nothing, connected: true, verified: true }],
    );
    assert.equal(connected.live, false);
    assert.equal((await app.call('POST', '/v2/sms-senders/', { sender: 'Parley' })).status < 300, true);
    const sent = await app.call('POST', '/v2/send-sms/', { from: 'Parley', to: '+447700900123', text: 'Hello' });
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    const live = await until('it was tested', read, ({ sms }) => sms.tested);
    assert.equal(live.live, true);
    assert.deepEqual((await read(app.otherToken)).sms, nothing);
  });

  it('403 without account:read', async () => {
    const { body } = await app.call('POST', '/v2/auth/tokens/', { name: 'SMS', scopes: ['sms:read'] });
    const answer = await app.call('GET', '/v2/account/go-live/', undefined, { token: body.token });
    assert.equal(answer.status, 403);
  });
});

describe('GET /v2/account/go-live/ › a sender of the chat platform', () => {
  let stage: CloudStage;
  before(async () => {
    stage = await startCloudStage();
  });
  after(() => stage.close());

  it('is verified by a signed call of the platform, and tested by a message that was delivered', async () => {
    const read = async () => (await stage.app.call('GET', '/v2/account/go-live/')).body;
    assert.deepEqual((await read()).chatapp, { ...nothing, connected: true });
    stage.simulator.person('+34600000001').writes('Hello');
    await until('it is verified', read, ({ chatapp }) => chatapp.verified);
    assert.equal((await read()).live, false);
    await until('the window is open', async () => {
      const { status } = await stage.send({ to_chatapp_number: '+34600000001', type: 'TEXT', text: { body: 'Hello' } });
      return status === 201;
    });
    const live = await until('it was tested', read, ({ chatapp }) => chatapp.tested);
    assert.equal(live.live, true);
  });
});
