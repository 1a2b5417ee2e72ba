import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { makeCaller, people } from '../../../../test/kit/voice/caller.ts';
import { makeBatches } from '../../../platform/work/batches.ts';
import { openCall } from './open.ts';

let app: TestApp;
let caller: ReturnType<typeof makeCaller>;
before(async () => {
  app = await startTestApp();
  caller = makeCaller(app);
});
after(() => app.close());

it('calls that come together are written together, and each is what it would have been alone', async () => {
  const settings = { features: ['CALL_TRACKING'], call_tracking: 'spring' };
  const [tracked, plain] = [await caller.number(settings), await caller.number()];
  const deps = { ...app.deps, batches: makeBatches({ largest: 50, inFlight: 1 }) };
  const { rows: others } = await sql<{ uuid: string }>`
    select uuid from accounts where uuid <> ${app.accountId}`.execute(app.deps.db);
  const stranger = others[0]!.uuid;
  const at = new Date();
  const arrives = (from: string, to: string, accountId: string | null = app.accountId) =>
    openCall(deps, { carrier: 'sandbox', accountId, carrierCallId: '', from, to, at, claimedBy: null });
  const [first, again, other, untracked, refused, unknown, foreign] = await Promise.all([
    arrives(people.caller, tracked),
    arrives(people.caller, tracked),
    arrives(people.busy, tracked, null),
    arrives('anonymous', plain),
    arrives(people.caller, '+442079469999'),
    arrives(people.caller, '+442079469999', null),
    arrives(people.caller, plain, stranger),
  ]);
  const tracking = [first, again, other, untracked].map((opened) => {
    const { call_tracking, first_time_caller, status, from_number } = opened!.row;
    return [call_tracking, first_time_caller, status, from_number];
  });
  assert.deepEqual(tracking, [
    ['spring', true, 'RINGING', people.caller],
    ['spring', false, 'RINGING', people.caller],
    ['spring', true, 'RINGING', people.busy],
    ['', null, 'RINGING', ''],
  ]);
  assert.equal(unknown, undefined);
  for (const [opened, accountId] of [
    [refused, app.accountId],
    [foreign, stranger],
  ] as const) {
    assert.deepEqual([opened!.number, opened!.row.result, opened!.row.account_id], [undefined, 'REJECTED', accountId]);
  }
  const later = await Promise.all([people.caller, people.late, people.busy].map((from) => arrives(from, tracked)));
  assert.deepEqual(
    later.map((opened) => opened!.row.first_time_caller),
    [false, true, false],
    'who called before is known, whoever else calls at the same moment',
  );
  assert.equal((await caller.steps(again!.row.uuid))[0]!.event, 'call.started');
  assert.notEqual((await caller.get(`/v2/number/${plain}/`)).last_called, '');
});

it('of an attempt to write calls together that failed nothing stays: no count of a start, and no mark of a number', async () => {
  const { db, metrics } = app.deps;
  const deps = { ...app.deps, batches: makeBatches({ largest: 50, inFlight: 1 }) };
  const number = await caller.number();
  const refused = '+442079469998';
  await sql`alter table calls add constraint closed check (to_number <> ${sql.lit(refused)}) not valid`.execute(db);
  const starts = async () => {
    const { values } = await metrics.getSingleMetric('parley_calls_total')!.get();
    return values.find(({ labels }) => labels['direction'] === 'inbound' && labels['step'] === 'started')!.value;
  };
  const startsBefore = await starts();
  const call = { carrier: 'sandbox', accountId: app.accountId, carrierCallId: '', at: new Date(), claimedBy: null };
  const results = await Promise.allSettled(
    [number, refused].map((to) => openCall(deps, { ...call, from: people.caller, to })),
  );
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.equal((await starts()) - startsBefore, 1);
  assert.notEqual((await caller.get(`/v2/number/${number}/`)).last_called, '');
  await sql`alter table calls drop constraint closed`.execute(db);
});
