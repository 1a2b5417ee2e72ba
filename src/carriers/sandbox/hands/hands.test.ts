import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';
import { newId } from '../../../platform/ids.ts';
import { closeLostAnyAccount, purgeLegsAnyAccount } from '../voice/queries.ts';

let app: TestApp;
let ours: string;
before(async () => {
  app = await startTestApp();
  ours = await buy({});
});
after(() => app.close());

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape and assert what they find
type Body = any;
let made = 0;
/** A person whose phone nobody has called yet; by the table it is busy. */
const somebody = (ending = '9051'): string => `+4477${String(++made).padStart(4, '0')}${ending}`;
const key = encodeURIComponent;

async function post(url: string, body?: object, status = 200): Promise<Body> {
  const answer = await app.call('POST', url, body);
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  return answer.body;
}
const get = async (url: string): Promise<Body> => (await app.call('GET', url)).body;
const buy = async (settings: object): Promise<string> =>
  (await post('/v2/number/', { number: `44207946${String(++made).padStart(4, '0')}`, ...settings }, 201)).number;
const hold = (number: string, seconds = 60) => post(`/v2/sandbox/phones/${key(number)}/hold/`, { seconds });
const release = (number: string) => app.call('DELETE', `/v2/sandbox/phones/${key(number)}/hold/`);
const rings = (to: string, more: object = {}) =>
  post('/v2/voice/calls/', { from: ours, to, bridge_to: somebody('9050'), ...more }, 201);
const does = (leg: Body, act: string, body?: object, status = 200) =>
  post(`/v2/sandbox/calls/${leg.uuid}/${act}/`, body, status);
const legOf = (number: string, state: string): Promise<Body> =>
  until(async () => (await get(`/v2/sandbox/calls/?number=${key(number)}&state=${state}`)).results[0]);
const result = (call: Body): Promise<string> => until(async () => (await get(`/v2/voice/calls/${call.uuid}/`)).result);

describe('A phone that is held', () => {
  it('rings until it is answered by hand, and is hung up by hand', async () => {
    const phone = somebody();
    const { number, held_until } = await hold(phone);
    assert.equal(number, phone);
    assert.ok(Date.parse(held_until) > Date.now() + 30_000);
    const call = await rings(phone);
    const ringing = await legOf(phone, 'RINGING');
    const { direction, other, outcome, hung_up_by, answered, ended } = ringing;
    assert.deepEqual(
      { direction, other, outcome, hung_up_by, answered, ended },
      {
        direction: 'OUTBOUND',
        other: ours,
        outcome: '',
        hung_up_by: null,
        answered: null,
        ended: null,
      },
    );
    // Its table says busy after one second; so much passes here.
    await post('/v2/sandbox/clock/', { advance_seconds: 5 });
    const talking = await does(ringing, 'answer');
    assert.equal(talking.state, 'TALKING');
    assert.ok(talking.answered);
    const hearing = await until(async () => (await get(`/v2/sandbox/calls/${ringing.uuid}/`)).hearing);
    assert.deepEqual(Object.keys(hearing), ['sound', 'since']);
    const over = await does(ringing, 'hangup');
    assert.deepEqual([over.state, over.outcome, over.hung_up_by, over.hearing], ['ENDED', 'answered', 'peer', null]);
    assert.equal(await result(call), 'ANSWERED');
  });

  it('may decline, and the caller learns that at once', async () => {
    const phone = somebody('9050');
    await hold(phone);
    const call = await rings(phone);
    const over = await does(await legOf(phone, 'RINGING'), 'decline');
    assert.deepEqual([over.state, over.outcome, over.hung_up_by], ['ENDED', 'not answered (603)', 'peer']);
    assert.equal(await result(call), 'REJECTED');
  });

  it('falls silent when the caller gives up', async () => {
    const phone = somebody('9050');
    await hold(phone);
    // The last second is not to pass by itself.
    await post('/v2/sandbox/clock/', { speed: 0 });
    const call = await rings(phone, { timeout_seconds: 20 });
    const ringing = await legOf(phone, 'RINGING');
    await post('/v2/sandbox/clock/', { advance_seconds: 19 });
    assert.equal((await get(`/v2/sandbox/calls/${ringing.uuid}/`)).state, 'RINGING');
    // One second more than is left: that time stands is heard of a moment later, and the phone may ring by then.
    await post('/v2/sandbox/clock/', { advance_seconds: 2 });
    assert.equal(await result(call), 'MISSED');
    await post('/v2/sandbox/clock/', { speed: 1 });
    assert.equal((await legOf(phone, 'ENDED')).outcome, 'not answered (480)');
  });

  for (const [how, letGo] of [
    ['that is let go', async (phone: string) => assert.equal((await release(phone)).status, 204)],
    ['whose hold is over', (phone: string) => hold(phone, 1)],
  ] as const) {
    it(`${how} while it rings does as the table says`, async () => {
      const phone = somebody('9051');
      await hold(phone);
      const call = await rings(phone);
      const leg = await legOf(phone, 'RINGING');
      await post('/v2/sandbox/clock/', { advance_seconds: 5 });
      assert.equal((await get(`/v2/sandbox/calls/${leg.uuid}/`)).state, 'RINGING');
      await letGo(phone);
      assert.equal(await result(call), 'BUSY');
    });
  }

  it('that is let go while somebody talks hangs up when the table says', async () => {
    const [phone, other] = [somebody('9050'), somebody()];
    await hold(phone);
    await hold(other);
    const call = await rings(phone, { bridge_to: other });
    const leg = await does(await legOf(phone, 'RINGING'), 'answer');
    await does(await legOf(other, 'RINGING'), 'answer');
    await until(async () => (await get(`/v2/sandbox/calls/${leg.uuid}/`)).hearing?.sound === 'talk');
    await post('/v2/sandbox/clock/', { advance_seconds: 100 });
    assert.equal((await does(leg, 'keys', { keys: '1' })).state, 'TALKING');
    await release(phone);
    await post('/v2/sandbox/clock/', { speed: 20 });
    assert.equal(await result(call), 'ANSWERED');
    await post('/v2/sandbox/clock/', { speed: 1 });
    const { hung_up_by, heard } = await legOf(phone, 'ENDED');
    assert.deepEqual([hung_up_by, heard.at(-1).sound], ['peer', 'talk']);
    assert.ok(heard.at(-1).seconds >= 120, JSON.stringify(heard));
  });

  it('does not keep a network from failing', async () => {
    const phone = somebody('9050');
    await hold(phone);
    await post('/v2/sandbox/faults/', { carrier: 'sandbox', kind: 'retry' }, 201);
    assert.equal(await result(await rings(phone)), 'FAILED');
  });
});

describe('A call from a phone that is held', () => {
  it('lasts as long as the person wants, and the keys they press are those that are asked for', async () => {
    const [phone, agent] = [somebody(), somebody()];
    const number = await buy({ target_number: agent, features: ['CAPTURE_DIGITS'] });
    await hold(phone);
    await hold(agent);
    const call = await post('/v2/sandbox/calls/', { from: phone, to: number }, 201);
    await does(call, 'answer', undefined, 409);
    const asked = await legOf(phone, 'TALKING');
    assert.equal(asked.uuid, call.uuid);
    assert.equal((await does(asked, 'keys', { keys: '4' })).pressed, '4');
    assert.equal((await does(asked, 'keys', { keys: '2#' })).pressed, '42#');
    const agents = await legOf(agent, 'RINGING');
    assert.equal((await get(`/v2/voice/calls/${call.uuid}/`)).digits, '42');
    await does(agents, 'answer');
    await until(async () => (await get(`/v2/sandbox/calls/${call.uuid}/`)).hearing?.sound === 'talk');
    // By itself it would end after a minute.
    await post('/v2/sandbox/clock/', { advance_seconds: 300 });
    assert.equal((await does(agents, 'keys', { keys: '7' })).state, 'TALKING');
    assert.equal((await does(asked, 'hangup')).state, 'ENDED');
    const told = await legOf(agent, 'ENDED');
    assert.deepEqual([told.hung_up_by, told.pressed], ['us', '7']);
    assert.ok(told.heard.some(({ sound, seconds }: Body) => sound === 'talk' && seconds >= 300));
    assert.equal(await result(call), 'ANSWERED');
  });

  it('ends a voicemail with #', async () => {
    const phone = somebody('9055');
    const number = await buy({ features: ['VOICEMAIL_LITE'] });
    await hold(phone);
    const call = await post('/v2/sandbox/calls/', { from: phone, to: number }, 201);
    const leg = await legOf(phone, 'TALKING');
    await until(async () => {
      const { body } = await app.call('GET', `/v2/logs/voice-calls/?call=${call.uuid}&page_size=200`);
      return body.results.some(({ event }: Body) => event === 'call.recording_started') || undefined;
    });
    await post('/v2/sandbox/clock/', { advance_seconds: 30 });
    assert.equal((await does(leg, 'keys', { keys: '#' })).pressed, '#');
    assert.equal(await result(call), 'VOICEMAIL');
  });
});

describe('POST /v2/sandbox/calls/:uuid/…/', () => {
  it('409 with a sentence when it cannot be done in its state', async () => {
    const phone = somebody();
    await hold(phone);
    await rings(phone);
    const leg = await legOf(phone, 'RINGING');
    const says = async (act: string, body?: object) => (await does(leg, act, body, 409)).detail;
    assert.equal(await says('hangup'), 'The phone still rings: answer or decline.');
    assert.equal(await says('keys', { keys: '1' }), 'Nobody has answered yet.');
    await does(leg, 'answer');
    assert.equal(await says('answer'), 'The call is answered already.');
    assert.equal(await says('decline'), 'The call is answered already: hang up instead.');
    await does(leg, 'hangup');
    for (const act of ['answer', 'decline', 'hangup']) assert.equal(await says(act), 'The call has already ended.');
    assert.equal((await does(leg, 'keys', { keys: '1' }, 409)).code, 'call_ended');
  });

  it("400 for keys that no phone has, 404 for another tenant's call", async () => {
    const url = `/v2/sandbox/calls/${newId()}/keys/`;
    assert.deepEqual((await post(url, { keys: '1a' }, 400)).keys, ['Enter digits, * and # only.']);
    const phone = somebody();
    await hold(phone);
    await rings(phone);
    const leg = await legOf(phone, 'RINGING');
    const stranger = await app.call('POST', `/v2/sandbox/calls/${leg.uuid}/answer/`, undefined, {
      token: app.otherToken,
    });
    assert.equal(stranger.status, 404);
    await does(leg, 'decline');
  });

  it('with an Idempotency-Key it is done after the answer', async () => {
    const phone = somebody();
    await hold(phone);
    await rings(phone);
    const leg = await legOf(phone, 'RINGING');
    const headers = { 'idempotency-key': newId() };
    const first = await app.call('POST', `/v2/sandbox/calls/${leg.uuid}/decline/`, undefined, { headers });
    assert.equal(first.status, 200);
    assert.equal((await legOf(phone, 'ENDED')).hung_up_by, 'peer');
  });
});

describe('A leg', () => {
  const left = async (state: string, touched: string, { carriedBy = 1, uuid = newId() } = {}): Promise<string> => {
    await sql`
      insert into sandbox_legs (account_id, uuid, direction, phone, phone_digits, other, state, outcome, heard, pressed,
        started_at, seen_at, touched_at, carried_by)
      values (${app.accountId}, ${uuid}, 'OUTBOUND', '1', '1', '2', ${state}, '', '[]', '', now(), now() + interval '3 s',
        now() - ${touched}::interval, ${carriedBy})`.execute(app.deps.db);
    return uuid;
  };

  it('whose process was killed is closed, and no other', async () => {
    const uuid = await left('RINGING', '13 seconds');
    const fresh = await left('RINGING', '5 seconds');
    const alive = await left('RINGING', '30 seconds', { carriedBy: app.deps.listener.workerNumber });
    await closeLostAnyAccount(app.deps.db);
    const closed = await get(`/v2/sandbox/calls/${uuid}/`);
    assert.deepEqual([closed.state, closed.outcome, closed.hung_up_by], ['ENDED', 'not answered (500)', 'network']);
    assert.ok(closed.ended > closed.started);
    for (const one of [fresh, alive]) assert.equal((await get(`/v2/sandbox/calls/${one}/`)).state, 'RINGING');
  });

  it('is kept as long as its account keeps things', async () => {
    const [old, recent] = [newIdAt(366), newIdAt(364)];
    for (const uuid of [old, recent]) await left('ENDED', '0', { uuid });
    await purgeLegsAnyAccount(app.deps.db);
    const status = async (uuid: string) => (await app.call('GET', `/v2/sandbox/calls/${uuid}/`)).status;
    assert.deepEqual([await status(old), await status(recent)], [404, 200]);
  });
});

/** An id that was made so many days ago (RFC 9562, 5.7: its first 48 bits are the time). */
const newIdAt = (daysAgo: number): string => {
  const ms = (Date.now() - daysAgo * 86_400_000).toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}${newId().slice(13)}`;
};
