import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../test/kit/until.ts';
import { makeLog } from '../log.ts';
import { startLoop } from './loop.ts';

const log = makeLog({ level: 'silent', pretty: false });

test('a wake-up during a run is not lost: it runs again without resting', async () => {
  let runs = 0;
  let release: () => void = () => {};
  const started = Promise.withResolvers<void>();
  const loop = startLoop(log, 'test', async () => {
    runs++;
    if (runs === 1) {
      started.resolve();
      await new Promise<void>((resolve) => (release = resolve));
    }
    return 60_000;
  });
  await started.promise;
  loop.wake();
  release();
  await until(() => runs === 2);
  await loop.stop();
  assert.equal(runs, 2);
});

test('an error does not end the loop', async () => {
  let runs = 0;
  const loop = startLoop(log, 'test', async () => {
    runs++;
    if (runs === 1) throw new Error('once');
    return 60_000;
  });
  await until(() => runs === 2);
  await loop.stop();
});

test('stop waits for the run under way', async () => {
  const happened: string[] = [];
  const started = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const loop = startLoop(log, 'test', async () => {
    started.resolve();
    await released.promise;
    happened.push('the run ended');
    return 60_000;
  });
  await started.promise;
  const stopped = loop.stop().then(() => happened.push('the loop ended'));
  released.resolve();
  await stopped;
  assert.deepEqual(happened, ['the run ended', 'the loop ended']);
});

test('a run that took long is followed by a rest, even if it is woken', async () => {
  const moments: number[] = [];
  const loop = startLoop(
    log,
    'test',
    async () => {
      moments.push(performance.now());
      await sleep(20);
      moments.push(performance.now());
      loop.wake();
      return 60_000;
    },
    { share: 0.2 },
  );
  await until(() => moments.length >= 3);
  await loop.stop();
  const [began, ended, beganAgain] = moments;
  assert.ok(beganAgain! - ended! >= 4 * (ended! - began!) - 1);
});
