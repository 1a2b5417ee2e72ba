import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { until } from '../../../test/kit/until.ts';
import { makeLog } from '../log.ts';
import { type Dispatch, type Place, startDispatch } from './dispatch.ts';
import { makeForeground } from './foreground.ts';
import type { Doubts } from './hands.ts';

interface Flight {
  batch: number;
  left(): void;
  stored(): void;
}

let dispatch: Dispatch | undefined;
let flights: Flight[];
let claimed: number;
afterEach(async () => {
  for (const { stored } of flights) stored();
  await dispatch?.stop();
});

/** One place, from which batches leave that are full or not. */
function serve({ isFull, claimsAhead = false }: { isFull: boolean; claimsAhead?: boolean }, batches: number): void {
  claimed = 0;
  flights = [];
  dispatch = startDispatch<Place, number>({
    name: 'a test',
    log: makeLog({ level: 'silent', pretty: false }),
    foreground: makeForeground(),
    claimsAhead,
    find: async () => (claimed < batches ? [{ key: 'place', account: 'account', queue: 'queue', waitMs: 0 }] : []),
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

test('the next batch is claimed while a full one leaves, and leaves after it', async () => {
  serve({ isFull: true, claimsAhead: true }, 3);
  await leave(1);
  while (claimed < 2) await new Promise(setImmediate);
  await assertNobodyLeaves();
  assert.equal(claimed, 2, 'no further than one batch ahead');
  flights[0]!.left();
  await leave(1, 2);
  flights[0]!.stored();
  flights[1]!.left();
  await leave(1, 2, 3);
});

test('what is claimed ahead leaves, though the process stops meanwhile', async () => {
  serve({ isFull: true, claimsAhead: true }, 3);
  await leave(1);
  while (claimed < 2) await new Promise(setImmediate);
  const stopped = dispatch!.stop();
  flights[0]!.left();
  flights[0]!.stored();
  await leave(1, 2);
  flights[1]!.stored();
  await stopped;
  assert.equal(claimed, 2);
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
  dispatch = startDispatch<Place, number>({
    name: 'a test',
    log: makeLog({ level: 'silent', pretty: false }),
    foreground: makeForeground(),
    find: async () =>
      [...left].filter(([, count]) => count > 0).map(([key]) => ({ key, account: key, queue: key, waitMs: 0 })),
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

const silent = makeLog({ level: 'silent', pretty: false });
const place = { key: 'place', account: 'account', queue: 'queue', waitMs: 0 };

test('a claim whose answer was lost is looked for, as one that was given to nobody', async () => {
  const claims: number[] = [];
  const doubts: (Doubts | undefined)[] = [];
  flights = [];
  dispatch = startDispatch<typeof place, number>({
    name: 'a test',
    log: silent,
    foreground: makeForeground(),
    find: async () => (claims.length === 0 ? [place] : []),
    async claim(_, number) {
      claims.push(number);
      throw new Error('Connection terminated unexpectedly');
    },
    handOver: async () => {},
    async recover(some) {
      doubts.push(some);
      return 0;
    },
  });
  const some = await until(() => doubts.find((one) => one !== undefined));
  assert.deepEqual(some, { inHand: [], unsent: claims });
});

test('a hand-over that failed is looked for after a while, and not as one that was given to nobody', async () => {
  let isClaimed = false;
  const doubts: Doubts[] = [];
  flights = [];
  dispatch = startDispatch<typeof place, number>({
    name: 'a test',
    log: silent,
    foreground: makeForeground(),
    find: async () => (isClaimed ? [] : [place]),
    async claim() {
      if (isClaimed) return undefined;
      isClaimed = true;
      return { batch: 1, isFull: false };
    },
    handOver: async () => {
      throw new Error('The database is away.');
    },
    async recover(some) {
      if (some) doubts.push(some);
      return 0;
    },
  });
  assert.deepEqual(await until(() => doubts[0]), { inHand: [1], unsent: [] }, 'it may still be under way');
  await until(() => doubts.at(-1)!.inHand.length === 0);
  assert.deepEqual(doubts.at(-1), { inHand: [], unsent: [] });
});

test('a place that rests is served again after its rest, though the wall clock was set back meanwhile', async (t) => {
  let looks = 0;
  let isServed = false;
  flights = [];
  dispatch = startDispatch<typeof place, number>({
    name: 'a test',
    log: silent,
    foreground: makeForeground(),
    find: async () => (isServed ? [] : [place]),
    async claim() {
      if (++looks > 1) return isServed ? undefined : { batch: 1, isFull: false };
      const nowMs = Date.now();
      t.mock.method(Date, 'now', () => nowMs - 3_600_000);
      return undefined;
    },
    async handOver() {
      isServed = true;
    },
    recover: async () => 0,
  });
  await until(() => isServed);
});

test('a place whose batches are full gives way to others, and takes less while they are here', async () => {
  const seen: string[] = [];
  const batches = 3;
  claimed = 0;
  flights = [];
  dispatch = startDispatch<Place, number>({
    name: 'a test',
    log: silent,
    foreground: {
      begin(account) {
        seen.push(`begin ${account}`);
        return () => seen.push('end');
      },
      giveWay: async (account) => void seen.push(`give way ${account}`),
      isShared: () => claimed > 0,
    },
    find: async () => (claimed < batches ? [place] : []),
    async claim(_place, _number, isAlone) {
      if (claimed === batches) return undefined;
      claimed++;
      seen.push(isAlone ? 'claim much' : 'claim little');
      return { batch: claimed, isFull: claimed < batches };
    },
    handOver: async (_batch, left) => left(),
    recover: async () => 0,
  });
  await until(() => seen.at(-1) === 'end');
  const bulk = ['give way account', 'claim little'];
  assert.deepEqual(seen.slice(0, 7), ['begin account', 'claim much', ...bulk, ...bulk, 'end']);
});
