import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';
import { makeCaller, people } from '../testing.ts';
import { together } from './change.ts';

let app: TestApp;
let caller: ReturnType<typeof makeCaller>;
before(async () => {
  app = await startTestApp();
  caller = makeCaller(app);
});
after(() => app.close());

it('together › of several that are written in one transaction, one that cannot be costs no other its own', async () => {
  await sql`create table written (number integer primary key)`.execute(app.deps.db);
  const results = await together(app.deps, [1, 2, 2, 3], async (db, numbers) => {
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
