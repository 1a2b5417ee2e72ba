import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';

describe('lists of numbers', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
    const wanted = [
      { number: '+442079460100', target_number: '+44 7700 900001', call_tracking: 'Spring Leaflet' },
      { number: '+447700900100', tts: 'Hello', keywords: ["O'Neill \\ Sons", 'Été'] },
      { number: '+12125550100', target_number: '447700900001' },
      { number: '+3226000000', country_code: 'BE' },
      { number: '+441614960100', features: ['KEEP_NUMBER'] },
    ];
    const statuses = await Promise.all(
      wanted.map(async (body) => (await app.call('POST', '/v2/number/', body)).status),
    );
    assert.deepEqual(statuses, [201, 201, 201, 409, 201]);
    assert.equal(
      (await app.call('POST', '/v2/number/', { number: '+442079460101', tts: 'x' }, { token: app.otherToken })).status,
      201,
    );
  });
  after(() => app.close());

  const numbersAt = async (path: string): Promise<string[]> => {
    const { status, body } = await app.call('GET', path);
    assert.equal(status, 200, JSON.stringify(body));
    return body.results.map((result: { number: string }) => result.number).sort();
  };

  describe('GET /v2/number/', () => {
    const all = ['+12125550100', '+441614960100', '+442079460100', '+447700900100'];
    const cases: [query: string, found: string[]][] = [
      ['', all],
      ['country=US', ['+12125550100']],
      ['country=FR', []],
      ['capability=MMS', ['+12125550100', '+447700900100']],
      ['capability=VOICE', all],
      ['feature=TTS', ['+447700900100']],
      ['feature=KEEP_NUMBER', ['+441614960100']],
      ['prefix=020', ['+442079460100']],
      ['prefix=2079', ['+442079460100']],
      ['prefix=7700&country=GB&capability=SMS&feature=KEYWORDS', ['+447700900100']],
      ['target_number=44(7700)900-001', ['+12125550100', '+442079460100']],
      ['target_number=+447700900001', ['+12125550100', '+442079460100']],
      ['q=9460', ['+442079460100']],
      ['q=020 7946', ['+442079460100']],
      ['q=0100', all],
      ['q=spring', ['+442079460100']],
      ['q=LEAF', ['+442079460100']],
      ["q=o'neill", ['+447700900100']],
      ['q=\\ sons', ['+447700900100']],
      ['q=ét', ['+447700900100']],
      ['q= ', all],
      ['q=VOICE', []],
      ["q=' | 'a", []],
    ];
    for (const [query, found] of cases) {
      it(`finds ${found.length} with ?${query}, and nothing of another tenant`, async () => {
        assert.deepEqual(await numbersAt(`/v2/number/?${encodeURI(query)}`), found);
      });
    }

    it('pages by cursor', async () => {
      const first = await app.call('GET', '/v2/number/?page_size=3');
      assert.deepEqual([first.body.count, first.body.results.length, first.body.previous], [4, 3, null]);
      const next = new URL(first.body.next);
      const second = await app.call('GET', next.pathname + next.search);
      assert.deepEqual([second.body.results.length, second.body.next], [1, null]);
    });

    it('400 for a filter that means nothing', async () => {
      for (const query of [
        'country=gb',
        'capability=FAX',
        'feature=FLY',
        'prefix=a',
        'target_number=home',
        'page_size=0',
      ]) {
        const answer = await app.call('GET', `/v2/number/?${query}`);
        assert.equal(answer.status, 400, query);
        assert.deepEqual(Object.keys(answer.body), [query.split('=')[0]]);
      }
    });
  });

  describe('GET /v2/number/search/', () => {
    it('finds what can be bought, and only that', async () => {
      const { body } = await app.call('GET', '/v2/number/search/?country_code=SE&prefix=070&capabilities=SMS,MMS');
      assert.equal(body.count, 95);
      assert.deepEqual(body.results[0], {
        number: '+46701740605',
        country: 'SE',
        prefix: '70',
        capabilities: ['VOICE', 'SMS', 'MMS'],
        carrier: 'sandbox',
      });
      assert.deepEqual(await numbersAt('/v2/number/search/?contains=4420794601'), numbersFrom(442079460102, 25));
      assert.deepEqual(await numbersAt('/v2/number/search/?country_code=TV'), []);
      assert.equal((await app.call('GET', '/v2/number/search/?country_code=KE&capabilities=MMS')).body.count, 0);
    });

    it('pages through every number once, in their order', async () => {
      const seen: string[] = [];
      let path: string | undefined = '/v2/number/search/?country_code=DE&page_size=200';
      while (path) {
        const { body } = await app.call('GET', path);
        seen.push(...body.results.map((result: { number: string }) => result.number));
        path = body.next?.replace(/^https?:\/\/[^/]+/, '');
      }
      assert.equal(seen.length, 500);
      assert.deepEqual(
        seen,
        [...new Set(seen)].sort((a, b) => Number(a) - Number(b)),
      );
    });

    it('400 for parameters that mean nothing', async () => {
      for (const query of ['country_code=Germany', 'prefix=x', 'capabilities=FAX', 'contains=abc']) {
        assert.equal((await app.call('GET', `/v2/number/search/?${query}`)).status, 400, query);
      }
      assert.equal((await app.call('GET', '/v2/number/search/?cursor=x')).status, 404);
    });
  });

  it('GET /v2/number/prefixes/ counts what is left', async () => {
    const { status, body } = await app.call('GET', '/v2/number/prefixes/?country_code=US');
    assert.equal(status, 200);
    assert.deepEqual([body.count, body.next, body.previous], [5, null, null]);
    assert.deepEqual(body.results[0], {
      country: 'US',
      prefix: '212',
      capabilities: ['VOICE', 'SMS', 'MMS'],
      available: 99,
    });
    assert.ok((await app.call('GET', '/v2/number/prefixes/')).body.count > 50);
  });

  it('GET /v2/number/capabilities/ and /v2/number/features/ explain every name', async () => {
    const capabilities = await app.call('GET', '/v2/number/capabilities/');
    assert.deepEqual(
      capabilities.body.results.map(({ name }: { name: string }) => name),
      ['VOICE', 'SMS', 'MMS'],
    );
    const features = await app.call('GET', '/v2/number/features/');
    assert.deepEqual([features.status, features.body.count], [200, 8]);
    assert.deepEqual(Object.keys(features.body.results[0]).sort(), ['description', 'field', 'name']);
    const number = (await app.call('GET', '/v2/number/?page_size=1')).body.results[0];
    for (const { field } of features.body.results) assert.ok(field in number, field);
  });
});

const numbersFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => `+${first + index}`);
