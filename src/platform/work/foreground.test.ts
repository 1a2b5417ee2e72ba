import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeForeground } from './foreground.ts';

const isOver = async (promise: Promise<void>): Promise<boolean> => {
  let over = false;
  void promise.then(() => {
    over = true;
  });
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  return over;
};
const longMs = 60_000;

test('bulk work gives way to what another account waits for, until that has ended', async () => {
  const foreground = makeForeground();
  const ends = [foreground.begin('quiet'), foreground.begin('another')];
  const way = foreground.giveWay('busy', longMs);
  ends[0]!();
  assert.equal(await isOver(way), false);
  ends[1]!();
  assert.equal(await isOver(way), true);
});

test('nobody gives way to what the same account waits for', async () => {
  const foreground = makeForeground();
  const end = foreground.begin('busy');
  assert.equal(await isOver(foreground.giveWay('busy', longMs)), true);
  end();
});

test('nor longer than agreed', async () => {
  const foreground = makeForeground();
  const end = foreground.begin('quiet');
  const startedMs = performance.now();
  await foreground.giveWay('busy', 30);
  assert.ok(performance.now() - startedMs > 25);
  end();
});

test('nor to a request that takes very long, such as a stream', async () => {
  let nowMs = 0;
  const foreground = makeForeground(() => nowMs);
  const end = foreground.begin('quiet');
  nowMs = 1000;
  assert.equal(await isOver(foreground.giveWay('busy', longMs)), true);
  end();
});

test('another account is there for a second after it had something to wait for', () => {
  let nowMs = 0;
  const foreground = makeForeground(() => nowMs);
  assert.equal(foreground.isShared('busy'), false);
  foreground.begin('quiet')();
  foreground.begin('busy')();
  assert.deepEqual([foreground.isShared('busy'), foreground.isShared('quiet')], [true, true]);
  nowMs = 900;
  foreground.begin('busy')();
  nowMs = 1100;
  assert.deepEqual([foreground.isShared('busy'), foreground.isShared('quiet')], [false, true]);
});
