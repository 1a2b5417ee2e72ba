import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type Stage, startStage } from './testing.ts';

let stage: Stage;
before(async () => {
  // The clock stands still, so that no hour ends between two calls.
  const now = new Date();
  stage = await startStage({ clock: { now: () => now } });
});
after(() => stage.close());

it('a missing, wrong or expired token is answered 401 with code 190 and a trace id', async () => {
  const path = `${stage.number}?fields=id`;
  const wrong = await stage.call('GET', path, undefined, { authorization: 'Bearer nonsense' });
  assert.equal(wrong.status, 401);
  assert.equal(wrong.body.error.code, 190);
  assert.equal(wrong.body.error.type, 'OAuthException');
  assert.match(wrong.body.error.fbtrace_id, /^A/);
  const missing = await fetch(`${stage.simulator.url}/v26.0/${path}`);
  assert.equal(missing.status, 401);
  stage.simulator.expireToken('old');
  const expired = await stage.call('GET', path, undefined, { authorization: 'Bearer old' });
  assert.equal(expired.body.error.error_subcode, 463);
});

it('an unknown object is answered 400 with code 100, subcode 33, and so is an unknown edge', async () => {
  for (const path of ['999', '999/messages', `${stage.number}/nonsense`]) {
    const { status, body } = await stage.call('POST', path, {});
    assert.equal(status, 400, path);
    assert.equal(body.error.code, 100);
    assert.equal(body.error.error_subcode, 33);
    assert.equal(body.error.type, 'GraphMethodException');
  }
});

it('any version is served, and paths without one by the pinned version', async () => {
  const headers = { authorization: `Bearer ${stage.simulator.token}` };
  for (const [prefix, version] of Object.entries({ '/v19.0': 'v19.0', '/v26.0': 'v26.0', '': 'v26.0' })) {
    const answer = await fetch(`${stage.simulator.url}${prefix}/${stage.number}`, { headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('facebook-api-version'), version);
  }
});

it('gives the fields of a number that were asked for, and refuses those that do not exist', async () => {
  const { body } = await stage.call('GET', `${stage.number}?fields=quality_rating,status,throughput`);
  assert.deepEqual(body, {
    quality_rating: 'GREEN',
    status: 'CONNECTED',
    throughput: { level: 'STANDARD' },
    id: stage.number,
  });
  const list = await stage.call('GET', `${stage.account}/phone_numbers`);
  assert.equal(list.body.data[0].display_phone_number, '+34900111222');
  const unknown = await stage.call('GET', `${stage.number}?fields=nonsense`);
  assert.equal(unknown.body.error.code, 100);
});

it('counts management calls of an account per hour and refuses with 80007 beyond', async () => {
  const usage = (await stage.call('GET', stage.account)).headers.get('x-business-use-case-usage');
  assert.equal(JSON.parse(usage!)[stage.account][0].type, 'whatsapp');
  stage.simulator.settings.managementPerHour = 1;
  assert.equal((await stage.call('GET', stage.account)).body.error.code, 80007);
  stage.simulator.settings.managementPerHour = null;
});

it('keeps what it received byte for byte, with the answer', async () => {
  const body = '{ "messaging_product":"whatsapp",\n "to" : "+34600111222", "text":{"body":"\\u00e9 é"} }';
  const headers = {
    authorization: `Bearer ${stage.simulator.token}`,
    'content-type': 'application/json',
    'x-mine': '1',
  };
  const url = `${stage.simulator.url}/v25.0/${stage.number}/messages`;
  const answer = await fetch(url, { method: 'POST', headers, body });
  const last = stage.simulator.received.at(-1)!;
  assert.ok(last.body.equals(Buffer.from(body)));
  assert.equal(last.url, `/v25.0/${stage.number}/messages`);
  assert.equal(last.headers['x-mine'], '1');
  assert.equal(last.status, answer.status);
  assert.deepEqual(last.answer, await answer.json());
});

it('a body that is not JSON is code 100', async () => {
  const { status, body } = await stage.call('POST', `${stage.number}/messages`, Buffer.from('{'));
  assert.equal(status, 400);
  assert.equal(body.error.code, 100);
});
