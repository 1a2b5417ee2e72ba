import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { makeBatches, unbatched } from './batches.ts';

const fulfilled = <T>(value: T): PromiseSettledResult<T> => ({ status: 'fulfilled', value });

test('calls made in the same moment leave as one batch, each with its own answer', async () => {
  const sizes: number[] = [];
  const batches = makeBatches({ largest: 500, inFlight: 2 });
  const double = async (items: number[]) => {
    sizes.push(items.length);
    return items.map((item) => fulfilled(item * 2));
  };
  const answers = await Promise.all([1, 2, 3].map((item) => batches.run('double', item, double)));
  assert.deepEqual(answers, [2, 4, 6]);
  assert.deepEqual(sizes, [3]);
});

test('no more batches are under way than allowed, none is larger than allowed, and nobody is forgotten', async () => {
  let underWay = 0;
  let most = 0;
  const sizes: number[] = [];
  const batches = makeBatches({ largest: 10, inFlight: 2 });
  const work = async (items: number[]) => {
    most = Math.max(most, ++underWay);
    sizes.push(items.length);
    await turn();
    await turn();
    underWay--;
    return items.map(fulfilled);
  };
  const calls: Promise<number>[] = [];
  for (let item = 0; item < 95; item++) {
    calls.push(batches.run('work', item, work));
    if (item % 7 === 0) await turn();
  }
  assert.deepEqual(
    await Promise.all(calls),
    Array.from({ length: 95 }, (_, item) => item),
  );
  assert.ok(most <= 2, `${most} under way`);
  assert.ok(Math.max(...sizes) <= 10);
});

test('many calls leave in equal shares, so that no batch takes all of them while the next has none', async () => {
  const batches = makeBatches({ largest: 500, inFlight: 2 });
  const sizes: number[] = [];
  const held: (() => void)[] = [];
  const work = async (items: number[]) => {
    sizes.push(items.length);
    await new Promise<void>((resolve) => held.push(resolve));
    return items.map(fulfilled);
  };
  const callers = async (count: number): Promise<void> => {
    await Promise.all(Array.from({ length: count }, (_, item) => batches.run('work', item, work)));
  };
  const first = callers(64);
  await turn();
  await turn();
  assert.deepEqual(sizes, [32, 32]);
  const more = callers(20);
  held[0]!();
  await turn();
  await turn();
  assert.deepEqual(sizes, [32, 32, 20], 'those that are there beside a batch under way, up to half of all');
  for (const release of held) release();
  await Promise.all([first, more]);
});

test('one bad item fails alone, also where it makes the whole batch throw, and the next batch goes on', async () => {
  const batches = makeBatches({ largest: 10, inFlight: 1 });
  const picky = async (items: number[]) => {
    if (items.includes(99)) throw new Error('down');
    return items.map((item) =>
      item < 0 ? { status: 'rejected' as const, reason: new Error('negative') } : fulfilled(item),
    );
  };
  const first = await Promise.allSettled([1, -1, 2].map((item) => batches.run('picky', item, picky)));
  assert.deepEqual(
    first.map((result) => result.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const second = await Promise.allSettled([3, 99].map((item) => batches.run('picky', item, picky)));
  assert.deepEqual(
    second.map((result) => result.status),
    ['fulfilled', 'rejected'],
  );
  assert.equal(await batches.run('picky', 4, picky), 4);
});

test('a database that is away fails everyone in a batch, and nobody is tried again', async () => {
  const batches = makeBatches({ largest: 10, inFlight: 1 });
  let runs = 0;
  const work = async (): Promise<PromiseSettledResult<number>[]> => {
    runs++;
    throw Object.assign(new pg.DatabaseError('shutting down', 0, 'error'), { code: '57P01' });
  };
  const results = await Promise.allSettled([1, 2, 3].map((item) => batches.run('work', item, work)));
  assert.ok(results.every(({ status }) => status === 'rejected'));
  assert.equal(runs, 1);
});

test('unbatched runs each call by itself', async () => {
  const sizes: number[] = [];
  const work = async (items: number[]) => {
    sizes.push(items.length);
    return items.map(fulfilled);
  };
  assert.deepEqual(await Promise.all([1, 2].map((item) => unbatched.run('work', item, work))), [1, 2]);
  assert.deepEqual(sizes, [1, 1]);
});

test('batches that are to leave apart gather what comes in between, and a lone call waits for nothing', async () => {
  const left: number[] = [];
  const batches = makeBatches({ largest: 500, inFlight: 1, apartMs: 40 });
  const work = async (items: number[]) => {
    left.push(items.length);
    return items.map(fulfilled);
  };
  await batches.run('work', 0, work);
  const calls: Promise<number>[] = [];
  for (let item = 0; item < 20; item++) {
    calls.push(batches.run('work', item, work));
    await turn();
  }
  await Promise.all(calls);
  assert.equal(left[0], 1);
  assert.equal(
    left.reduce((sum, size) => sum + size),
    21,
  );
  assert.ok(left.length < 21, `${left.length} batches for 21 calls`);
});

test('a batch that gathers leaves once nobody else comes, long before it has to', { timeout: 60_000 }, async () => {
  const left: number[] = [];
  const batches = makeBatches({ largest: 500, inFlight: 1, apartMs: 3_600_000, quietMs: 1 });
  const work = async (items: number[]) => {
    left.push(items.length);
    return items.map(fulfilled);
  };
  await batches.run('work', 0, work);
  await Promise.all([1, 2, 3].map((item) => batches.run('work', item, work)));
  assert.deepEqual(left, [1, 3]);
});
