import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { makeCarriers, type NumberRange } from '../../../carriers/ports/carriers.ts';
import { ensureNumberPool } from './ensure.ts';

describe('ensureNumberPool', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  const carriersWith = (ranges: NumberRange[]) =>
    makeCarriers([{ name: 'trunk', adoptsUnknown: false, clock: () => app.deps.clock, numberRanges: ranges }]);
  const poolOf = (carrier: string) =>
    app.deps.db.selectFrom('number_pool').selectAll().where('carrier', '=', carrier).orderBy('digits').execute();
  const range: NumberRange = { country: 'IT', prefix: '02', first: '390299999998', count: 3, capabilities: ['VOICE'] };

  it('puts every number of every range into the pool at the start', async () => {
    const sandbox = app.deps.carriers.get('sandbox').numberRanges!;
    const pool = await poolOf('sandbox');
    assert.equal(
      pool.length,
      sandbox.reduce((sum, { count }) => sum + count, 0),
    );
    assert.ok(pool.every(({ state }) => state === 'AVAILABLE'));
  });

  it('adds a new carrier, follows what it changes, and leaves sold numbers sold', async () => {
    await ensureNumberPool(app.deps.db, carriersWith([range]));
    const [first, , last] = await poolOf('trunk');
    assert.deepEqual([first?.number, first?.national, last?.digits], ['+390299999998', '299999998', '390300000000']);
    assert.equal((await app.call('POST', '/v2/number/', { number: first?.number })).status, 201);

    await ensureNumberPool(app.deps.db, carriersWith([{ ...range, count: 5, capabilities: ['VOICE', 'SMS'] }]));
    const pool = await poolOf('trunk');
    assert.equal(pool.length, 5);
    assert.ok(pool.every(({ capabilities }) => capabilities.includes('SMS')));
    assert.deepEqual(
      pool.map(({ state }) => state),
      ['ASSIGNED', 'AVAILABLE', 'AVAILABLE', 'AVAILABLE', 'AVAILABLE'],
    );
  });

  it('touches nothing when nothing changed', async () => {
    const carriers = carriersWith([range]);
    await ensureNumberPool(app.deps.db, carriers);
    await app.deps.db
      .deleteFrom('number_pool')
      .where('carrier', '=', 'trunk')
      .where('state', '=', 'AVAILABLE')
      .execute();
    await ensureNumberPool(app.deps.db, carriers);
    assert.equal((await poolOf('trunk')).length, 1);
  });
});
