import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';
import { makeCaller, people } from '../../../../test/kit/voice/caller.ts';
import { findCall } from '../queries.ts';
import { advance, newLiveCall } from './call.ts';
import { applyChange, together } from './change.ts';
import { openCall } from './open.ts';

let app: TestApp;
let caller: ReturnType<typeof makeCaller>;
before(async () => {
  app = await startTestApp();
  caller = makeCaller(app);
});
after(() => app.close());

it('together › of several that are written in one transaction, one that cannot be costs no other its own', async () => {
  await sql`create table written (number integer primary key)`.execute(app.deps.db);
  const results = await together(app.deps, [1, 2, 2, 3], async ({ db }, numbers) => {
    for (const number of numbers) await sql`insert into written values (${number})`.execute(db);
    return numbers;
  });
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  const { rows } = await sql<{ number: number }>`select number from written order by number`.execute(app.deps.db);
  assert.deepEqual(
    rows.map(({ number }) => number),
    [1, 2, 3],
  );
  await assert.rejects(
    together(app.deps, [0], () => Promise.reject(new Error('Alone.'))),
    /Alone/,
  );
});

it('a step that a webhook of the account hears of is stored with what it is told, or neither is', async () => {
  const { db } = app.deps;
  const arrival = { carrier: 'sandbox', accountId: app.accountId, carrierCallId: '', claimedBy: null, at: new Date() };
  const { row } = (await openCall(app.deps, { ...arrival, from: people.caller, to: await caller.number() }))!;
  const webhook = await app.call('POST', '/v2/webhooks/', { url: 'https://hooks.example/', events: ['call.answered'] });
  assert.equal(webhook.status, 201, JSON.stringify(webhook.body));
  await sql`alter table webhook_deliveries add constraint closed check (type <> 'call.answered') not valid`.execute(db);
  const change = { accountId: app.accountId, uuid: row.uuid, changes: { status: 'IN_PROGRESS' }, events: [] };
  await assert.rejects(applyChange(app.deps, { ...change, told: 'call.answered', webhooks: [] }), /closed/);
  assert.equal((await findCall(db, app.accountId, row.uuid))!.status, 'RINGING');
  await sql`alter table webhook_deliveries drop constraint closed`.execute(db);
  assert.equal((await app.call('DELETE', `/v2/webhooks/${webhook.body.uuid}/`)).status, 204);
});

it('a step is on the timeline a moment later, also while nothing else happens to the call', async () => {
  const number = await caller.number({ target_number: people.absent });
  const uuid = await caller.dials(number);
  await until(
    () => caller.steps(uuid),
    (steps) => steps.at(-1)?.event === 'call.ringing',
  );
  assert.equal((await app.call('POST', `/v2/voice/calls/${uuid}/hangup/`)).status, 202);
  await caller.ends(uuid);
});

it('many calls at once have each their own record, steps in their order, and traffic', async () => {
  await caller.clock({ speed: 25 });
  const number = await caller.number({ target_number: people.answers });
  const count = 40;
  const calls = await Promise.all(Array.from({ length: count }, () => caller.dials(number)));
  for (const uuid of calls) {
    assert.equal((await caller.ends(uuid)).result, 'ANSWERED');
    assert.deepEqual(
      (await caller.steps(uuid)).map(({ event }) => event),
      ['call.started', 'call.routed', 'call.ringing', 'call.answered', 'call.ended'],
    );
  }
  const { traffic } = await caller.get(`/v2/number/${number}/insights/`);
  assert.equal(traffic.answered, count);
});

it('a call goes on when the database is away for a moment, and its step is stored when it is back', async () => {
  await caller.clock({ speed: 1 });
  const number = await caller.number({ target_number: people.absent });
  const uuid = await caller.dials(number);
  await caller.reaches(uuid, 'RINGING');
  const row = (await findCall(app.deps.db, app.accountId, uuid))!;
  const { batches } = app.deps;
  let failures = 0;
  const run: typeof batches.run = (...given) => {
    if (++failures > 2) return batches.run(...given);
    return Promise.reject(Object.assign(new pg.DatabaseError('shutting down', 0, 'error'), { code: '57P01' }));
  };
  const deps = { ...app.deps, batches: { ...batches, run } };
  const call = newLiveCall(deps, app.deps.carriers.get('sandbox', 'voice').voice, row, undefined);
  await advance(call, 'call.answered', { status: 'IN_PROGRESS', answered_at: new Date().toISOString() });
  assert.equal(call.row.status, 'IN_PROGRESS');
  const answered = (await caller.steps(uuid)).filter(({ event }) => event === 'call.answered');
  assert.equal(answered.length, 1);
  await app.call('POST', `/v2/voice/calls/${uuid}/hangup/`);
  await caller.ends(uuid);
});
