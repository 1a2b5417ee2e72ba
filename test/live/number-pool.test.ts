// Which numbers of the pool an account can get, and how the operator takes one out of it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeApi } from '../../src/cli/api.ts';
import { withdrawNumbers } from '../../src/cli/numbers/numbers.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const setSandbox = async (sandbox: string) =>
  assert.equal((await app.call('PATCH', '/v2/account/', { sandbox })).status, 200);
const importNumbers = async (...numbers: string[]) => {
  const { body } = await app.call(
    'POST',
    '/v2/number/pool/',
    numbers.map((number) => ({ number, carrier: 'acme' })),
  );
  assert.equal(body.added, numbers.length);
};
const buy = (body: object, token = app.token) => app.call('POST', '/v2/number/', body, { token });
const search = async (query: string, token = app.token) =>
  (await app.call('GET', `/v2/number/search/?${query}`, undefined, { token })).body.results as {
    number: string;
    carrier: string;
  }[];
const countries = async (token = app.token) =>
  new Set(
    (await app.call('GET', '/v2/number/prefixes/', undefined, { token })).body.results.map(
      ({ country }: { country: string }) => country,
    ),
  );
const withdraw = (number: string, token = app.token) =>
  app.call('DELETE', `/v2/number/pool/${encodeURIComponent(number)}/`, undefined, { token });

describe('an account that adopts', () => {
  test('buys imported numbers before fictional ones, also in bulk', async () => {
    await setSandbox('adopt');
    assert.equal((await search('country_code=GB&page_size=1'))[0]!.carrier, 'sandbox');
    await importNumbers('+448081570001', '+448081570002', '+448081570003');
    const bulk = await app.call('POST', '/v2/number/bulk/', [{ country_code: 'GB' }, { country_code: 'GB' }]);
    assert.equal(bulk.status, 201, JSON.stringify(bulk.body));
    assert.deepEqual(
      bulk.body.map(({ number }: { number: string }) => number),
      ['+448081570001', '+448081570002'],
    );
    const mixed = await app.call('POST', '/v2/number/bulk/', [{ country_code: 'GB' }, { country_code: 'GB' }]);
    const isImported = ({ number }: { number: string }) => number.startsWith('+448081');
    assert.deepEqual(
      mixed.body.filter(isImported).map(({ number }: { number: string }) => number),
      ['+448081570003'],
      'one is left',
    );
    assert.equal(mixed.body.length, 2, 'and then a fictional one');
  });
});

describe('an account that does not adopt', () => {
  for (const mode of ['registered', 'off']) {
    test(`${mode}: neither finds nor gets a fictional number, and sees the carrier of others`, async () => {
      await setSandbox(mode);
      assert.deepEqual(await search('country_code=GB'), []);
      assert.deepEqual([...(await countries())], []);
      const refused = await buy({ country_code: 'GB' });
      assert.deepEqual([refused.status, refused.body.code], [409, 'no_numbers_available']);
      const [fictional] = await search('country_code=GB&page_size=1', app.otherToken);
      assert.equal((await buy({ number: fictional!.number })).status, 409, 'not by its name either');
      await importNumbers('+35315250001', '+35315250002');
      assert.deepEqual(
        (await search('country_code=IE')).map(({ number, carrier }) => [number, carrier]),
        [
          ['+35315250001', 'acme'],
          ['+35315250002', 'acme'],
        ],
      );
      assert.deepEqual([...(await countries())], ['IE']);
      assert.ok((await countries(app.otherToken)).has('GB'), 'another tenant goes on trying');
      assert.equal((await buy({ country_code: 'IE' })).body.number, '+35315250001');
      assert.equal((await withdraw('+35315250002')).status, 204);
      await app.call('DELETE', '/v2/number/35315250001/');
      assert.equal((await withdraw('+35315250001')).status, 204, 'one that rests can be withdrawn');
    });
  }
});

describe('DELETE /v2/number/pool/{number}/', () => {
  test('takes a number out of the pool, in any notation; a second time it is not found', async () => {
    await setSandbox('registered');
    await importNumbers('+35315250011');
    assert.equal((await withdraw('00353 (1) 525 0011')).status, 204);
    assert.deepEqual(await search('country_code=IE'), []);
    assert.equal((await withdraw('+35315250011')).status, 404);
  });

  test('409 while somebody has it, and it stays', async () => {
    await importNumbers('+35315250012');
    const { number } = (await buy({ country_code: 'IE' })).body;
    const answer = await withdraw(number);
    assert.deepEqual([answer.status, answer.body.code], [409, 'number_taken']);
    assert.equal((await app.call('GET', `/v2/number/${number.slice(1)}/`)).status, 200);
  });

  test('403 for other tenants, and for tokens without the scope', async () => {
    await importNumbers('+35315250013');
    assert.equal((await withdraw('+35315250013', app.otherToken)).status, 403);
    const { token } = (await app.call('POST', '/v2/auth/tokens/', { name: 'plain', scopes: ['write'] })).body;
    assert.equal((await withdraw('+35315250013', token)).status, 403);
    assert.equal((await search('country_code=IE'))[0]!.number, '+35315250013');
  });

  test('of a buyer and the operator, who come at once, one gets it', async () => {
    for (let round = 0; round < 5; round++) {
      const number = `+3531525010${round}`;
      await importNumbers(number);
      const [bought, withdrawn] = await Promise.all([buy({ number }), withdraw(number)]);
      assert.deepEqual([bought.status, withdrawn.status].toSorted(), bought.status === 201 ? [201, 409] : [204, 409]);
    }
  });

  test('parley numbers withdraw says of each what became of it', async (t) => {
    await importNumbers('+35315250014');
    const url = await app.app.listen({ host: '127.0.0.1', port: 0 });
    const lines: string[] = [];
    t.mock.method(console, 'log', (line: string) => lines.push(line));
    const api = makeApi({ url, token: app.token });
    assert.equal(await withdrawNumbers(api, ['+35315250014', '+35315250012', '+390669899999'], {}), 1);
    assert.deepEqual(lines, [
      '+35315250014: withdrawn.',
      '+35315250012: This number belongs to an account. It can be withdrawn once it has been released.',
      '+390669899999: Not found.',
    ]);
  });
});
