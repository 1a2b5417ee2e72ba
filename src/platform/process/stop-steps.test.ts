import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { makeStopSteps } from './stop-steps.ts';

test('steps are undone from the last to the first; one that hangs is named and left behind, one that fails is told', async () => {
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const steps = makeStopSteps(log, { stepMs: 50, totalMs: 80, lateMs: 10 });
  const taken: string[] = [];
  steps.add('first', async () => taken.push('first'));
  steps.add('hanging', () => new Promise(() => {}));
  steps.add('failing', async () => {
    throw new Error('no');
  });
  steps.add('hanging, too', () => new Promise(() => {}));
  steps.add('last', async () => taken.push('last'));
  await assert.rejects(steps.run(), /^Error: no$/);
  assert.deepEqual(taken, ['last', 'first']);
  assert.deepEqual(
    logged.map((line) => JSON.parse(line).name),
    ['hanging, too', 'hanging'],
  );
  await steps.run();
  assert.deepEqual(taken, ['last', 'first'], 'once');
});

test('a step that may take longer takes nothing from those after it', async () => {
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const steps = makeStopSteps(log, { stepMs: 10, totalMs: 10, lateMs: 1 });
  const taken: string[] = [];
  steps.add('after it', async () => taken.push('after it'));
  const waits = Promise.withResolvers<void>();
  steps.add('long', () => waits.promise.then(() => taken.push('long')), 1_800_000);
  setTimeout(waits.resolve, 30);
  await steps.run();
  assert.deepEqual([taken, logged], [['long', 'after it'], []]);
});
