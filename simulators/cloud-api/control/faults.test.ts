import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { makeRandom } from '../ids.ts';
import { type Stage, startStage } from '../testing.ts';
import { makeTime } from '../time.ts';
import { makeFaults } from './faults.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await startStage({ settings: { pairEveryMs: null } });
  stage.simulator.person('+34600111222').writes('hi');
});
afterEach(() => stage.close());

const hello = { text: { body: 'hola' } };
const taken = () =>
  stage.simulator
    .person('+34600111222')
    .messages()
    .filter(({ direction }) => direction === 'out').length;

it('the next sends answer the error that is set, nothing is taken, then all is well', async () => {
  stage.simulator.faults.next(2, { kind: 'error', code: 131000 });
  stage.simulator.faults.next(1, { kind: 'error', code: 130429, status: 429 });
  const answers = [await stage.send(hello), await stage.send(hello), await stage.send(hello)];
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.error.code]),
    [
      [500, 131000],
      [500, 131000],
      [429, 130429],
    ],
  );
  assert.equal(taken(), 0);
  assert.equal((await stage.send(hello)).status, 200);
});

it('a reset breaks the connection and takes nothing; a lost answer takes the message', async () => {
  stage.simulator.faults.next(1, { kind: 'reset' });
  await assert.rejects(stage.send(hello));
  assert.equal(taken(), 0);
  stage.simulator.faults.next(1, { kind: 'lost-answer' });
  await assert.rejects(stage.send({ ...hello, biz_opaque_callback_data: 'mine' }));
  assert.equal(taken(), 1);
  assert.equal(stage.simulator.received.at(-1)?.status, null);
  const [status] = await stage.statuses();
  assert.equal(status?.['biz_opaque_callback_data'], 'mine', 'only a status tells');
});

it('a hanging call is not answered and takes nothing', async () => {
  stage.simulator.faults.next(1, { kind: 'hang' });
  const pending = stage.send(hello).then(
    () => 'answered',
    () => 'broken',
  );
  while (stage.simulator.received.length < 1) await new Promise(setImmediate);
  assert.equal((await stage.send(hello)).status, 200, 'others are served');
  assert.equal(taken(), 1);
  await stage.simulator.close();
  assert.equal(await pending, 'broken');
});

it('a late answer comes, and the message was taken at once', async () => {
  stage.simulator.faults.next(1, { kind: 'late', delayMs: 360_000_000 });
  const pending = stage.send(hello);
  while (taken() < 1) await new Promise(setImmediate);
  stage.simulator.advance(360_000_000);
  assert.equal((await pending).status, 200);
});

it('an outage hits every call until it is over', async () => {
  stage.simulator.faults.outage(360_000_000);
  const down = await stage.call('GET', stage.number);
  assert.equal(down.status, 503);
  assert.equal(down.body.error.code, 2);
  stage.simulator.advance(360_000_000);
  assert.equal((await stage.call('GET', stage.number)).status, 200);
});

it('a fault belongs to its edge, or to all', async () => {
  stage.simulator.faults.next(1, { kind: 'error', code: 131016 }, 'phone_numbers');
  assert.equal((await stage.send(hello)).status, 200);
  assert.equal((await stage.call('GET', `${stage.account}/phone_numbers`)).status, 500);
  stage.simulator.faults.next(1, { kind: 'error', code: 131016 }, '*');
  assert.equal((await stage.call('GET', stage.number)).status, 500);
  stage.simulator.faults.random(1, { kind: 'error', code: 1 });
  stage.simulator.faults.clear();
  assert.equal((await stage.send(hello)).status, 200);
});

it('random faults are decided by the seed', () => {
  const run = (seed: number) => {
    const faults = makeFaults(makeTime({ now: () => new Date(0) }, 1), makeRandom(seed));
    faults.random(0.3, { kind: 'reset' });
    return Array.from({ length: 200 }, () => (faults.pick('messages') ? 'x' : '.')).join('');
  };
  assert.equal(run(7), run(7));
  assert.notEqual(run(7), run(8));
  const hits = run(7).replaceAll('.', '').length;
  assert.ok(hits > 30 && hits < 90, `${hits} of 200`);
});
