import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

it('GET /v2/account/ledger/ › accounts for every SMS that was accepted, beside the messages; not for what came in', async () => {
  const send = async (text: string): Promise<string> =>
    (await app.call('POST', '/v2/send-sms/', { from: 'Parley', to: '+447700900123', text })).body.uuid;
  const [first, second] = [await send('one'), await send('two'), await send('three')];
  assert.equal((await app.call('DELETE', `/v2/send-sms/${first}/`)).status, 204);
  const received = await app.call('POST', '/v2/sandbox/sms/', {
    from: '+447700900123',
    to: '+442079460000',
    text: 'x',
  });
  assert.equal(received.status, 201, JSON.stringify(received.body));
  const { body } = await app.call('GET', '/v2/account/ledger/');
  assert.deepEqual(body.sms, {
    accepted: 3,
    final: { delivered: 0, failed: 0, cancelled: 1 },
    pending: { queued: 2, sent: 0 },
    unaccounted: 0,
  });
  assert.deepEqual([body.accepted, body.unaccounted], [0, 0]);
  await app.deps.db.deleteFrom('sms_states').where('uuid', '=', second!).execute();
  assert.equal((await app.call('GET', '/v2/account/ledger/')).body.sms.unaccounted, 1, 'a lost one shows');
  const other = await app.call('GET', '/v2/account/ledger/', undefined, { token: app.otherToken });
  assert.equal(other.body.sms.accepted, 0);
});
