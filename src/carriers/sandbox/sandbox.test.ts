import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';
import { newId } from '../../platform/ids.ts';
import { behaviourOf, behaviours, usual } from './chat/behaviours.ts';
import { furthestAheadSeconds, virtualNow } from './clock.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

test('GET /v2/sandbox/clock/ › is the real time for an account that never moved it', async () => {
  const { body } = await app.call('GET', '/v2/sandbox/clock/');
  assert.deepEqual([body.speed, body.ahead_seconds], [1, 0]);
  const { rows } = await sql<{ isNow: boolean }>`
    select ${body.now}::timestamptz between now() - interval '1 hour' and now() as "isNow"`.execute(app.deps.db);
  assert.equal(rows[0]!.isNow, true, body.now);
});

describe('POST /v2/sandbox/clock/', () => {
  const move = (body: object, token?: string) => app.call('POST', '/v2/sandbox/clock/', body, token ? { token } : {});

  test('steps add up, and another account’s time stays as it is', async () => {
    const day = 86_400_000;
    const first = await move({ advance_seconds: 86_400 });
    assert.equal(first.status, 200);
    const second = await move({ advance_seconds: 86_400 });
    assert.ok(Date.parse(second.body.now) - Date.parse(first.body.now) >= day);
    const other = await move({ advance_seconds: 0 }, app.otherToken);
    assert.ok(Date.parse(second.body.now) - Date.parse(other.body.now) > day);
  });

  test('GET tells the time without moving it, also to somebody who never did', async () => {
    const { body: moved } = await move({ advance_seconds: 10 });
    const { status, body } = await app.call('GET', '/v2/sandbox/clock/');
    assert.deepEqual([status, body.speed], [200, moved.speed]);
    assert.ok(body.now >= moved.now);
    const other = await app.call('GET', '/v2/sandbox/clock/', undefined, { token: app.otherToken });
    assert.deepEqual([other.status, other.body.speed], [200, 1]);
    assert.ok(other.body.now < moved.now);
  });

  test('tells how far it is from the real time: ahead after a step, behind when it was stopped', async () => {
    const before = (await app.call('GET', '/v2/sandbox/clock/')).body.ahead_seconds;
    const stepped = (await move({ advance_seconds: 3600 })).body.ahead_seconds;
    assert.ok(Math.abs(stepped - before - 3600) < 1, `${before} ${stepped}`);
    const other = await app.call('GET', '/v2/sandbox/clock/', undefined, { token: app.otherToken });
    assert.equal(Math.round(other.body.ahead_seconds), 0);
    await move({ speed: 0 }, app.otherToken);
    const later = await until('it falls behind', async () => {
      const { body } = await app.call('GET', '/v2/sandbox/clock/', undefined, { token: app.otherToken });
      return body.ahead_seconds < 0 && body;
    });
    assert.equal(later.speed, 0);
    await move({ speed: 1 }, app.otherToken);
  });

  test('is not set back while a call is in progress, nor together with a step', async () => {
    const ahead = (await move({ advance_seconds: 3600 })).body.ahead_seconds;
    const leg = newId();
    const { account_id } = await app.deps.db
      .selectFrom('sandbox_clocks')
      .select('account_id')
      .orderBy('virtual_base', 'desc')
      .executeTakeFirstOrThrow();
    await sql`insert into sandbox_legs (account_id, uuid, direction, phone, phone_digits, other, outcome, heard, pressed, started_at, state)
      values (${account_id}, ${leg}, 'INBOUND', '+447700900123', '447700900123', '+442079460000', '', '[]', '', now(), 'TALKING')`.execute(
      app.deps.db,
    );
    const refused = await move({ reset: true });
    assert.deepEqual([refused.status, refused.body.code], [409, 'sandbox_call_under_way']);
    assert.ok((await app.call('GET', '/v2/sandbox/clock/')).body.ahead_seconds >= ahead - 1);
    await sql`update sandbox_legs set state = 'ENDED' where uuid = ${leg}`.execute(app.deps.db);
    assert.deepEqual((await move({ reset: true, speed: 1 })).body, { reset: ['Give it by itself.'] });
    assert.deepEqual((await move({ reset: false })).body, { non_field_errors: ['Give advance_seconds or speed.'] });
    assert.equal((await move({ reset: true })).status, 200);
  });

  test('400 without a move, for a step back, and for a speed that is none', async () => {
    assert.deepEqual((await move({})).body, { non_field_errors: ['Give advance_seconds or speed.'] });
    assert.deepEqual(Object.keys((await move({ advance_seconds: -1 })).body), ['advance_seconds']);
    assert.deepEqual(Object.keys((await move({ speed: 'fast' })).body), ['speed']);
  });
});

test('time runs at its speed from where it was set', () => {
  const setting = { realBaseMs: 1_000, virtualBaseMs: 50_000, speed: 10 };
  assert.equal(virtualNow(setting, 3_000).getTime(), 70_000);
  assert.equal(virtualNow(undefined, 3_000).getTime(), 3_000);
});

test('time runs ten years ahead at most, however fast', () => {
  for (const speed of [1e9, Number.MAX_VALUE]) {
    const setting = { realBaseMs: 1_000, virtualBaseMs: 50_000, speed };
    assert.equal(virtualNow(setting, 1_000_000).getTime(), 1_000_000 + furthestAheadSeconds * 1000);
  }
});

test('a number is usual unless it ends in 90NN with a row in the table', () => {
  assert.equal(behaviourOf('+44 7700 900 123'), usual);
  assert.equal(behaviourOf('+44 7700 909 099'), usual);
  assert.equal(behaviourOf('+44 (7700) 909-010'), behaviours.get(10));
});

describe('GET /v2/sandbox/phones/{number}/', () => {
  test('404 for what is no number', async () => {
    assert.equal((await app.call('GET', '/v2/sandbox/phones/mum/')).status, 404);
  });
});
