import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTurns, NoTurn, type Waiting } from './turns.ts';

/** Work that ends when it is told to, and a list of who began in which order. */
function stage(options: { atOnce: number; mostWaiting: number; waitMs?: number }) {
  const takeTurns = makeTurns({ waitMs: 60_000, ...options });
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string, waiting: Waiting) =>
    takeTurns(waiting, () => {
      began.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string): Promise<void> => {
    ends.get(name)!();
    await settle();
  };
  return { ask, began, end };
}

test('so many run at once; others follow by rank, and of one key after all others', async () => {
  const { ask, began, end } = stage({ atOnce: 2, mostWaiting: 10 });
  const all = [ask('a1', { key: 'a' }), ask('a2', { key: 'a' }), ask('a3', { key: 'a' }), ask('a4', { key: 'a' })];
  all.push(ask('b1', { key: 'b', rank: 5 }), ask('c1', { key: 'c' }));
  assert.deepEqual(began, ['a1', 'a2']);
  for (const name of ['a1', 'a2', 'a3', 'c1', 'a4', 'b1']) await end(name);
  assert.deepEqual(began, ['a1', 'a2', 'a3', 'c1', 'a4', 'b1']);
  await Promise.all(all);
});

test('when all places are taken, whoever asks most makes way', async () => {
  const { ask, began, end } = stage({ atOnce: 1, mostWaiting: 2 });
  const first = ask('a1', { key: 'a' });
  const second = ask('a2', { key: 'a' });
  const third = assert.rejects(ask('a3', { key: 'a' }), NoTurn);
  const other = ask('b1', { key: 'b' });
  await third;
  await assert.rejects(ask('a4', { key: 'a' }), NoTurn);
  for (const name of ['a1', 'a2', 'b1']) await end(name);
  assert.deepEqual(began, ['a1', 'a2', 'b1']);
  await Promise.all([first, second, other]);
});

test('nobody waits longer than allowed, nor more with one key; a failure passes the turn on', async () => {
  const late = stage({ atOnce: 1, mostWaiting: 2, waitMs: 1 });
  const first = late.ask('a1', { key: 'a' });
  await assert.rejects(late.ask('a2', { key: 'a' }), NoTurn);
  await late.end('a1');
  await first;
  const takeTurns = makeTurns({ atOnce: 1, mostWaiting: 9, waitMs: 60_000 });
  const failing = takeTurns({ key: 'a' }, () => Promise.reject(new Error('no')));
  const next = takeTurns({ key: 'a', most: 1 }, async () => 'next');
  await assert.rejects(
    takeTurns({ key: 'a', most: 1 }, async () => 'too many'),
    NoTurn,
  );
  await assert.rejects(failing, /no/);
  assert.equal(await next, 'next');
});
