import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { assertDetail, startSurface } from '../sweep/surface.ts';

const messages = '/v2/chatapp/messages/';
const good = {
  chatapp_number: '+447700900001',
  to_chatapp_number: '+447700900123',
  type: 'TEMPLATE',
  template: { template_name: 'welcome' },
};

let app: TestApp;
before(async () => {
  app = await startSurface();
});
after(() => app.close());

describe('HTTP manners', () => {
  it('a path is served with and without its trailing slash', async () => {
    const [with_, without] = await Promise.all([app.call('GET', '/v2/account/'), app.call('GET', '/v2/account')]);
    assert.equal(with_.status, 200);
    assert.deepEqual(without.body, with_.body);
    assert.equal((await app.call('POST', messages.slice(0, -1), good)).status, 201);
  });

  it('`Token` and `Bearer` are taken in any case', async () => {
    for (const scheme of ['Token', 'token', 'TOKEN', 'Bearer', 'bEARER']) {
      const headers = { authorization: `${scheme} ${app.token}` };
      assert.equal((await app.call('GET', '/v2/account/', undefined, { token: null, headers })).status, 200, scheme);
    }
  });

  it('unknown fields have no effect and are named in a header', async () => {
    const body = { ...good, too: 1, template: { ...good.template, colour: 'red' } };
    const created = await app.call('POST', messages, body);
    assert.equal(created.status, 201);
    const named = String(created.headers['parley-ignored-fields']).split(/,\s*/);
    assert.deepEqual(named.toSorted(), ['template.colour', 'too']);
    const listed = await app.call('GET', `${messages}?colour=red`);
    assert.equal(listed.headers['parley-ignored-fields'], 'colour');
    assert.equal((await app.call('POST', messages, good)).headers['parley-ignored-fields'], undefined);
    // Where a field is missing, it may be there under another name.
    const { to_chatapp_number: to_chatapp_numbr, ...rest } = good;
    const refused = await app.call('POST', messages, { ...rest, to_chatapp_numbr });
    assert.deepEqual([refused.status, Object.keys(refused.body)], [400, ['to_chatapp_number']]);
    assert.equal(refused.headers['parley-ignored-fields'], 'to_chatapp_numbr');
    const query = await app.call('GET', `${messages}?page_size=x&colour=red`);
    assert.deepEqual([query.status, query.headers['parley-ignored-fields']], [400, 'colour']);
  });

  it('HEAD answers as GET does, without the body', async () => {
    const headers = { authorization: `Token ${app.token}` };
    const answer = await app.app.inject({ method: 'HEAD', url: messages, headers });
    assert.deepEqual([answer.statusCode, answer.body], [200, '']);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal((await app.app.inject({ method: 'HEAD', url: messages })).statusCode, 401);
  });

  it('404 for an unknown path, with or without a token', async () => {
    for (const token of [app.token, null]) {
      for (const url of ['/', '/v2/', '/v2/nothing/', '/v1/chatapp/messages/', '/v2/chatapp/messages/a/b/c/']) {
        assertDetail(await app.call('GET', url, undefined, { token }), 404, 'not_found', 'Not found.');
      }
    }
  });

  it('404 for malformed percent-encoding in the path', async () => {
    for (const url of ['/v2/number/%zz/', '/v2/%', '/v2/chatapp/messages/%E0%A4%A/']) {
      assertDetail(await app.call('GET', url), 404, 'not_found', 'Not found.');
    }
  });

  it("keeps the caller's request id, and makes its own in place of a strange one", async () => {
    const idFor = async (id: string) =>
      (await app.call('GET', '/v2/account/', undefined, { headers: { 'x-request-id': id } })).headers['x-request-id'];
    assert.equal(await idFor('order-77:retry.2'), 'order-77:retry.2');
    for (const strange of ['a b', '<script>', 'x'.repeat(200)]) assert.notEqual(await idFor(strange), strange);
  });

  it('429 with Retry-After beyond the limit of the account, and what is left in each answer', async () => {
    const own = await startTestApp({ ROLES: 'api' });
    try {
      const patched = await own.call('PATCH', '/v2/account/', { limits: { requests_per_minute: 5 } });
      assert.equal(patched.status, 200);
      const { body } = await own.call('GET', '/v2/account/');
      assert.deepEqual(body.limits, { requests_per_minute: 5 });
      // Twice the limit and one more: enough even if a new minute begins in between.
      const answers = await Promise.all(Array.from({ length: 11 }, () => own.call('GET', '/v2/account/')));
      const refused = answers.find(({ status }) => status === 429);
      assert.ok(refused, 'one of them was too many');
      const seconds = Number(refused.headers['retry-after']);
      assert.ok(seconds >= 1 && seconds <= 60);
      assertDetail(refused, 429, 'throttled', `Request was throttled. Expected available in ${seconds} seconds.`);
      assert.equal(refused.headers['ratelimit-policy'], '"token";q=5;w=60');
      assert.match(String(refused.headers['ratelimit']), /^"token";r=0;t=\d+$/);
      assert.equal((await own.call('GET', '/v2/account/', undefined, { token: own.otherToken })).status, 200);
    } finally {
      await own.close();
    }
  });
});

describe('Lists', () => {
  const follow = (link: string) => {
    const { pathname, search } = new URL(link);
    return app.call('GET', pathname + search);
  };
  const uuidsOf = (page: { body: { results: { uuid: string }[] } }) => page.body.results.map(({ uuid }) => uuid);
  const post = async (meta: number): Promise<string> =>
    (await app.call('POST', messages, { ...good, to_chatapp_number: '+447700900777', meta_data: { meta } })).body.uuid;
  const list = `${messages}?to=%2B447700900777&page_size=3`;

  for (const ordering of ['-created', 'created']) {
    it(`pages of ordering=${ordering} stay whole and in order while rows are inserted, there and back`, async () => {
      const made: string[] = [];
      for (let n = 0; n < 8; n++) made.push(await post(n));
      const pages = [await app.call('GET', `${list}&ordering=${ordering}`)];
      for (let next = pages[0]!.body.next; next; next = pages.at(-1)!.body.next) {
        // Fewer than a page holds, so that the list ends also where new rows come last.
        await post(99);
        assert.ok(next.startsWith('http') && next.includes('page_size=3') && next.includes(`ordering=${ordering}`));
        pages.push(await follow(next));
      }
      const seen = pages.flatMap(uuidsOf);
      assert.equal(new Set(seen).size, seen.length, 'none twice');
      assert.deepEqual(seen, ordering === 'created' ? seen.toSorted() : seen.toSorted().reverse());
      for (const uuid of made) assert.ok(seen.includes(uuid), 'none left out');

      assert.equal(pages[0]!.body.previous, null);
      const back = [pages.at(-1)!];
      while (back.length < pages.length) back.push(await follow(back.at(-1)!.body.previous));
      assert.deepEqual(back.map(uuidsOf).reverse(), pages.map(uuidsOf), 'the way back shows the same pages');
    });
  }

  it('previous of the second page leads to what came before it, newer rows included', async () => {
    const first = await app.call('GET', list);
    const second = await follow(first.body.next);
    assert.deepEqual(uuidsOf(await follow(second.body.previous)), uuidsOf(first));
    const newest = await post(100);
    const again = await follow(second.body.previous);
    assert.deepEqual(uuidsOf(again), uuidsOf(first));
    assert.deepEqual(uuidsOf(await follow(again.body.previous)), [newest]);
  });
});

it('/readyz names the database, the disk, the queue and each carrier, and needs no token', async () => {
  const app = await startTestApp({ ROLES: 'api' });
  try {
    const { status, body } = await app.call('GET', '/readyz', undefined, { token: null });
    const names = ['database', 'disk', 'queue', 'sandbox', 'cloud-api', 'smpp', 'sip'];
    const checks = Object.fromEntries(names.map((name) => [name, 'ok']));
    assert.deepEqual([status, body], [200, { status: 'ready', checks }]);
  } finally {
    await app.close();
  }
});
