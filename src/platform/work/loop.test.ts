import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../test/kit/until.ts';
import { makeLog } from '../log.ts';
import { startLoop } from './loop.ts';
import { pollMs, type Watch } from './poll.ts';

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

/** A watch that calls back when the test says so. */
function makeWatch() {
  const callbacks = new Set<() => void>();
  let isClosed = false;
  const watch: Watch = {
    listen(callback) {
      callbacks.add(callback);
      return () => void callbacks.delete(callback);
    },
    close: () => {
      isClosed = true;
    },
  };
  return { watch, isClosed: () => isClosed, find: () => callbacks.forEach((callback) => void callback()) };
}

/** Turns of the event loop: many more than a loop needs to go on if nothing holds it back. */
async function manyTurns(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await setImmediate();
}

test('a loop with a watch runs when there is something, when it is woken, and else not', async () => {
  let runs = 0;
  const { watch, find, isClosed } = makeWatch();
  const run = async () => {
    runs++;
    return pollMs;
  };
  const loop = startLoop(log, 'test', run, { watch });
  await manyTurns();
  assert.equal(runs, 0, 'not before the watch says so');
  find();
  await until(() => runs === 1);
  await manyTurns();
  assert.equal(runs, 1);
  loop.wake();
  await until(() => runs === 2);
  find();
  await until(() => runs === 3);
  await loop.stop();
  assert.ok(isClosed());
});

test('a loop with a watch goes on without it while it has more to do', async () => {
  let runs = 0;
  const { watch, find } = makeWatch();
  const loop = startLoop(log, 'test', async () => (++runs < 5 ? 0 : 60_000), { watch });
  find();
  await until(() => runs === 5);
  await loop.stop();
});
