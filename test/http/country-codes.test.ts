import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../kit/app.ts';

const sentence = 'Enter an ISO 3166 country code such as GB.';
const ofNumbers = 'Enter an ISO 3166 country code in capital letters, such as GB.';

describe('A country code that does not exist is refused at its field', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
  });
  after(() => app.close());

  const rule = (caller_countries: string[]) => ({
    name: 'Home',
    channel: 'VOICE',
    routes: [{ conditions: { caller_countries }, destination: { type: 'HANGUP' } }],
    fallback: { type: 'HANGUP' },
  });
  const cases: [what: string, method: string, url: string, body: object | undefined, errors: object][] = [
    ['a number to buy', 'POST', '/v2/number/', { country_code: 'UK' }, { country_code: [ofNumbers] }],
    ['numbers in bulk', 'POST', '/v2/number/bulk/', [{ country_code: 'UK' }], [{ country_code: [ofNumbers] }]],
    ['numbers to search', 'GET', '/v2/number/search/?country_code=UK', undefined, { country_code: [ofNumbers] }],
    ['numbers to list', 'GET', '/v2/number/?country=UK', undefined, { country: [ofNumbers] }],
    ['the account', 'PATCH', '/v2/account/', { default_country: 'UK' }, { default_country: [sentence] }],
    [
      'a route',
      'POST',
      '/v2/routing-configs/',
      rule(['GB', 'UK']),
      { routes: [{ conditions: { caller_countries: { 1: [sentence] } } }] },
    ],
  ];
  for (const [what, method, url, body, errors] of cases) {
    it(`of ${what}`, async () => {
      const answer = await app.call(method as 'GET', url, body);
      assert.deepEqual([answer.status, answer.body], [400, errors]);
    });
  }

  it('GB and others that exist are taken', async () => {
    for (const default_country of ['FR', 'XK', 'GB']) {
      assert.equal((await app.call('PATCH', '/v2/account/', { default_country })).status, 200);
    }
    assert.equal((await app.call('POST', '/v2/routing-configs/', rule(['GB', 'JM']))).status, 201);
  });
});
