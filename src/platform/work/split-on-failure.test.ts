import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { doApart, splitOnFailure } from './split-on-failure.ts';

const rows = ['a1', 'a2', 'b1', 'b2', 'c1'];
const ownerOf = (row: string): string => row[0]!;

/** Fails for whatever holds a bad row; notes what was tried, and what was done. */
function makeWork(bad: string[], error: () => Error = () => new Error('bad')) {
  const tried: string[] = [];
  const done: string[] = [];
  const work = async (some: string[]): Promise<void> => {
    tried.push(some.join());
    if (some.some((row) => bad.includes(row))) throw error();
    done.push(...some);
  };
  return { tried, done, work };
}

describe('splitOnFailure', () => {
  it('does all at once where nothing is wrong', async () => {
    const { tried, work } = makeWork([]);
    assert.deepEqual(await splitOnFailure(rows, ownerOf, work), []);
    assert.deepEqual(tried, ['a1,a2,b1,b2,c1']);
    assert.deepEqual(await splitOnFailure([], ownerOf, work), []);
    assert.equal(tried.length, 1);
  });

  it('does the others where a row is bad: by owner, then one by one', async () => {
    const { tried, done, work } = makeWork(['b2']);
    const failures = await splitOnFailure(rows, ownerOf, work);
    assert.deepEqual(
      failures.map(({ item, error }) => [item, error.message]),
      [['b2', 'bad']],
    );
    assert.deepEqual(tried, ['a1,a2,b1,b2,c1', 'a1,a2', 'b1,b2', 'b1', 'b2', 'c1']);
    assert.deepEqual(done, ['a1', 'a2', 'b1', 'c1']);
  });

  it('tries nothing twice where there is one owner, or one row', async () => {
    const one = makeWork(['b2']);
    await splitOnFailure(['b1', 'b2'], ownerOf, one.work);
    assert.deepEqual(one.tried, ['b1,b2', 'b1', 'b2']);
    const row = makeWork(['b2']);
    assert.equal((await splitOnFailure(['b2'], ownerOf, row.work)).length, 1);
    assert.deepEqual(row.tried, ['b2']);
    const apart = makeWork(['b2']);
    await doApart(['b1', 'b2'], ownerOf, apart.work);
    assert.deepEqual(apart.tried, ['b1', 'b2']);
  });

  it('blames no row for a database that is away', async () => {
    const away = () => Object.assign(new pg.DatabaseError('shutting down', 0, 'error'), { code: '57P01' });
    const { tried, work } = makeWork(['b2'], away);
    await assert.rejects(splitOnFailure(rows, ownerOf, work), /shutting down/);
    assert.equal(tried.length, 1);
  });
});
