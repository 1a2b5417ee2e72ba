import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
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
  while (runs < 2) await sleep(1);
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
  while (runs < 2) await sleep(5);
  await loop.stop();
});

test('stop waits for the run under way', async () => {
  let finished = false;
  const loop = startLoop(log, 'test', async () => {
    await sleep(20);
    finished = true;
    return 60_000;
  });
  await sleep(1);
  await loop.stop();
  assert.equal(finished, true);
});
