import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { makeCarriers, type NumberRange } from '../../../carriers/ports/carriers.ts';
import { ensureNumberPool } from './fill.ts';

const url = '/v2/number/pool/';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

const fill = async (items: unknown, query = '') => (await app.call('POST', `${url}${query}`, items)).body;
const rowOf = (digits: string) =>
  app.deps.db
    .selectFrom('number_pool')
    .select(['country', 'prefix', 'national', 'capabilities', 'carrier', 'state'])
    .where('digits', '=', digits)
    .executeTakeFirst();

describe('ensureNumberPool', () => {
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

describe('POST /v2/number/pool/', () => {
  it('adds numbers that can then be searched and bought; what is left out comes from the number', async () => {
    const items = [
      { number: '+35315250001' },
      { number: '+35 31 525 0002', country_code: 'IE', prefix: '1', capabilities: ['MMS', 'VOICE'], carrier: 'colt' },
    ];
    assert.deepEqual(await fill(items), { added: 2, updated: 0, unchanged: 0, errors: [] });
    assert.deepEqual(await rowOf('35315250001'), {
      country: 'IE',
      prefix: '1',
      national: '15250001',
      capabilities: ['VOICE', 'SMS'],
      carrier: 'external',
      state: 'AVAILABLE',
    });
    const second = await rowOf('35315250002');
    assert.deepEqual([second?.capabilities, second?.carrier], [['VOICE', 'MMS'], 'colt']);
    assert.equal((await app.call('GET', '/v2/number/search/?contains=15250001')).body.count, 1);
    const bought = await app.call('POST', '/v2/number/', { number: '+35315250001' }, { token: app.otherToken });
    assert.equal(bought.status, 201);
  });

  it('the same again changes nothing; something else is updated, and what is left out stays', async () => {
    const items = [{ number: '+35315250011', carrier: 'colt', capabilities: ['VOICE'] }, { number: '+35315250012' }];
    assert.equal((await fill(items)).added, 2);
    assert.deepEqual(await fill(items), { added: 0, updated: 0, unchanged: 2, errors: [] });
    assert.deepEqual(await fill([{ number: '+35315250011' }]), { added: 0, updated: 0, unchanged: 1, errors: [] });
    const changed = await fill([{ number: '+35315250011', carrier: 'bt' }, items[1]]);
    assert.deepEqual(changed, { added: 0, updated: 1, unchanged: 1, errors: [] });
    const row = await rowOf('35315250011');
    assert.deepEqual([row?.carrier, row?.capabilities], ['bt', ['VOICE']]);
  });

  it('leaves a number alone that somebody has', async () => {
    await fill([{ number: '+35315250021', carrier: 'colt' }]);
    assert.equal((await app.call('POST', '/v2/number/', { number: '+35315250021' })).status, 201);
    const again = await fill([{ number: '+35315250021', carrier: 'bt' }]);
    assert.deepEqual(again, { added: 0, updated: 0, unchanged: 1, errors: [] });
    const row = await rowOf('35315250021');
    assert.deepEqual([row?.carrier, row?.state], ['colt', 'ASSIGNED']);
  });

  it('reports bad items in their place and stores the good ones; of a number given twice the last counts', async () => {
    const { errors, ...counts } = await fill([
      { number: '+35315250031' },
      { number: 'home' },
      {},
      { number: 35315250032 },
      { number: '+3531' },
      { number: '+35315250033', country_code: 'GB' },
      { number: '+35315250033', country_code: 'XX' },
      { number: '+80012345678' },
      { number: '+35315250034', capabilities: ['FAX'] },
      { number: '+35315250034', carrier: 'No Spaces' },
      { number: '+35315250035', carrier: 'one' },
      { number: '+35315250035', carrier: 'two' },
    ]);
    assert.deepEqual(counts, { added: 2, updated: 0, unchanged: 1 });
    const complaint = 'Enter a valid phone number with its country calling code, such as +442079460000.';
    assert.deepEqual(
      errors.map(({ index, number, error }: { index: number; number: string; error: string }) => [
        index,
        number,
        error,
      ]),
      [
        [1, 'home', 'Enter a valid phone number.'],
        [2, '', 'This field is required.'],
        [3, '35315250032', 'Not a valid string.'],
        [4, '+3531', 'Enter a valid phone number.'],
        [5, '+35315250033', 'country_code: +353 is not the calling code of GB.'],
        [6, '+35315250033', 'country_code: Enter an ISO 3166 country code in capital letters, such as GB.'],
        [7, '+80012345678', 'country_code: The number does not tell its country. This field is required.'],
        [8, '+35315250034', 'capabilities: "FAX" is not a valid choice.'],
        [9, '+35315250034', 'carrier: Enter 1 to 50 small letters, digits, dots, dashes and underscores.'],
      ],
    );
    assert.equal((await fill([{ number: '+999123456789' }])).errors[0].error, complaint);
    assert.equal((await rowOf('35315250035'))?.carrier, 'two');
    assert.equal(await rowOf('35315250034'), undefined);
  });

  it('with dry_run says what would be done, and does nothing', async () => {
    await fill([{ number: '+35315250041', carrier: 'colt' }]);
    const items = [{ number: '+35315250041', carrier: 'bt' }, { number: '+35315250042' }, { number: 'x' }];
    const { errors, ...counts } = await fill(items, '?dry_run=true');
    assert.deepEqual([counts, errors.length], [{ added: 1, updated: 1, unchanged: 0 }, 1]);
    assert.deepEqual([(await rowOf('35315250041'))?.carrier, await rowOf('35315250042')], ['colt', undefined]);
    const { errors: _, ...done } = await fill(items);
    assert.deepEqual(done, counts);
  });

  it('takes 5,000 at once, from two callers at the same time too', async () => {
    const items = Array.from({ length: 5_000 }, (_, at) => ({ number: `+4930${70_000_000 + at}`, carrier: 'colt' }));
    const answers = await Promise.all([fill(items), fill(items.toReversed())]);
    assert.equal(answers[0].added + answers[1].added, 5_000);
    assert.equal(answers[0].unchanged + answers[1].unchanged, 5_000);
  });

  it('400 for what is no list, an empty one, a longer one, and items that are no objects', async () => {
    const tooMany = Array.from({ length: 5_001 }, () => ({}));
    for (const [body, sentence] of [
      [{}, 'Expected a list of items but got type "dict".'],
      [[], 'This list may not be empty.'],
      [tooMany, 'Ensure this field has no more than 5000 elements.'],
    ] as const) {
      const answer = await app.call('POST', url, body);
      assert.deepEqual([answer.status, answer.body], [400, { non_field_errors: [sentence] }]);
    }
    assert.equal((await app.call('POST', url, ['+35315250001'])).status, 400);
  });
});

it('the pool is the operator’s alone: 403 for another account, whatever its token may do', async () => {
  for (const method of ['GET', 'POST'] as const) {
    const body = method === 'POST' ? [{ number: '+35315250051' }] : undefined;
    const answer = await app.call(method, url, body, { token: app.otherToken });
    assert.deepEqual([answer.status, answer.body.code], [403, 'permission_denied']);
  }
  assert.equal(await rowOf('35315250051'), undefined);
  assert.equal((await app.call('GET', '/v2/account/')).body.operator, true);
  assert.equal((await app.call('GET', '/v2/account/', undefined, { token: app.otherToken })).body.operator, false);
});

it('GET /v2/number/pool/ › counts by country, carrier and state; a number that has rested is available', async () => {
  const numbers = ['+525512345601', '+525512345602', '+525512345603'];
  await fill(numbers.map((number) => ({ number, carrier: 'telmex' })));
  const ofTelmex = async () =>
    (await app.call('GET', url)).body.results
      .filter(({ carrier }: { carrier: string }) => carrier === 'telmex')
      .map(({ country, state, numbers }: Record<string, unknown>) => [country, state, numbers]);
  assert.deepEqual(await ofTelmex(), [['MX', 'AVAILABLE', 3]]);
  for (const number of numbers.slice(1)) await app.call('POST', '/v2/number/', { number });
  await app.call('DELETE', `/v2/number/${numbers[2]}/`);
  const three = ['AVAILABLE', 'ASSIGNED', 'COOLING'].map((state) => ['MX', state, 1]);
  assert.deepEqual(new Set((await ofTelmex()).map(String)), new Set(three.map(String)));
  await app.deps.db
    .updateTable('number_pool')
    .set({ available_at: '2020-01-01' })
    .where('number', '=', numbers[2]!)
    .execute();
  assert.deepEqual(new Set((await ofTelmex()).map(String)), new Set(['MX,AVAILABLE,2', 'MX,ASSIGNED,1']));
});
