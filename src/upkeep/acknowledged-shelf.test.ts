import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newId } from '../platform/ids.ts';
import { keepNewest } from '../platform/work/newest.ts';
import { packedShelf, type Stored } from './acknowledged-shelf.ts';

const change = { operation: 'updateAgent', path: '/v2/agents/…/' };
const makeStored = (index: number): Stored => ({
  accountId: `account ${index % 3}`,
  uuid: newId(),
  what: index % 2 === 0 ? 'messages' : change,
});

it('gives back what was put there, also after places were used again', () => {
  const shelf = packedShelf();
  const expected: Stored[] = [];
  for (let index = 0; index < 10_000; index++) {
    const place = index % 4_000;
    expected[place] = makeStored(index);
    shelf.put(place, expected[place]);
  }
  assert.deepEqual(shelf.all(), expected);
});

it('holds the newest, and how many were passed over is known', () => {
  const newest = keepNewest(100, 1_000, () => 0, packedShelf);
  const all = Array.from({ length: 250 }, (_, index) => makeStored(index));
  for (const one of all) newest.add(one);
  assert.deepEqual(new Set(newest.kept().map(({ uuid }) => uuid)), new Set(all.slice(150).map(({ uuid }) => uuid)));
  assert.equal(newest.passedOver(), 150);
});
