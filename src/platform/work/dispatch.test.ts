import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { makeLog } from '../log.ts';
import { type Dispatch, startDispatch } from './dispatch.ts';

interface Flight {
  batch: number;
  left(): void;
  stored(): void;
}

let dispatch: Dispatch | undefined;
let flights: Flight[];
afterEach(async () => {
  for (const { stored } of flights) stored();
  await dispatch?.stop();
});

/** One place, from which batches leave that are full or not. */
function serve({ isFull }: { isFull: boolean }, batches: number): void {
  let claimed = 0;
  flights = [];
  dispatch = startDispatch<{ key: string; queue: string; waitMs: number }, number>({
    name: 'a test',
    log: makeLog({ level: 'silent', pretty: false }),
    find: async () => (claimed < batches ? [{ key: 'place', queue: 'queue', waitMs: 0 }] : []),
    claim: async () => (claimed < batches ? { batch: ++claimed, isFull } : undefined),
    handOver: (batch, left) =>
      new Promise((stored) => {
        flights.push({ batch, left, stored });
      }),
    recover: async () => 0,
  });
}
const batchesOf = () => flights.map(({ batch }) => batch);
const leave = async (...batches: number[]): Promise<void> => {
  while (flights.length < batches.length) await new Promise(setImmediate);
  assert.deepEqual(batchesOf(), batches);
};
/** Nobody leaves, though there are turns enough for whoever is not held up. On a machine so slow that patience ends, nothing is said. */
async function assertNobodyLeaves(): Promise<void> {
  const before = batchesOf();
  const startedMs = performance.now();
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  if (performance.now() - startedMs < 50) assert.deepEqual(batchesOf(), before);
}

test('a full batch makes way for the next when all of it has left, while it is being stored; one at a time', async () => {
  serve({ isFull: true }, 3);
  await leave(1);
  flights[0]!.left();
  await leave(1, 2);
  flights[1]!.left();
  await assertNobodyLeaves();
  flights[0]!.stored();
  await leave(1, 2, 3);
});

test('what is not full waits until the batch before it is stored, and is the fuller for it', async () => {
  serve({ isFull: false }, 2);
  await leave(1);
  flights[0]!.left();
  await assertNobodyLeaves();
  flights[0]!.stored();
  await leave(1, 2);
});

test('a batch that hangs holds up nobody', async () => {
  serve({ isFull: true }, 2);
  await leave(1, 2);
});

/** So many places, each with so many full batches; claims are named after their place. */
function serveMany(places: number, batches: number): string[] {
  const claims: string[] = [];
  const left = new Map(Array.from({ length: places }, (_, index) => [`place ${index}`, batches]));
  flights = [];
  dispatch = startDispatch<{ key: string; queue: string; waitMs: number }, number>({
    name: 'a test',
    log: makeLog({ level: 'silent', pretty: false }),
    find: async () => [...left].filter(([, count]) => count > 0).map(([key]) => ({ key, queue: key, waitMs: 0 })),
    claim: async ({ key }) => {
      const count = left.get(key)!;
      if (count === 0) return undefined;
      left.set(key, count - 1);
      claims.push(key);
      return { batch: claims.length, isFull: true };
    },
    handOver: async (_, gone) => gone(),
    recover: async () => 0,
  });
  return claims;
}

test('while others wait, a turn is one batch, and nobody gets a second before everybody had the first', async () => {
  const claims = serveMany(20, 3);
  while (claims.length < 60) await new Promise(setImmediate);
  assert.equal(new Set(claims.slice(0, 20)).size, 20);
});

test('a place that is alone has as many batches as there are, one after the other', async () => {
  const claims = serveMany(1, 25);
  while (claims.length < 25) await new Promise(setImmediate);
  assert.equal(claims.length, 25);
});
