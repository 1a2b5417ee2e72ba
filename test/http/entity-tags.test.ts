// Objects that can be changed have an ETag, and If-Match keeps one change from undoing another. Driven from the route table.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { objectOf } from '../../src/platform/http/entity-tags.ts';
import type { TestApp } from '../kit/app.ts';
import { rowWatch } from '../sweep/rows.ts';
import {
  addressOf,
  assertDetail,
  documented,
  isPersonal,
  type Operation,
  operations,
  startSurface,
  title,
} from '../sweep/surface.ts';

// That of a profile, which only a person has, is tested beside it.
const tagged = operations.filter((operation) => objectOf(operation, operations) && !isPersonal(operation));
const objects = [...Map.groupBy(tagged, ({ url }) => url).values()];
const changesOf = (offered: Operation[]) =>
  offered
    .filter(({ method }) => method !== 'GET')
    // What is deleted cannot be changed any more.
    .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
const strong = /^"[\w-]{22}\.[\w-]{11}"$/;
const stale = '"AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAA"';

describe('Every object that can be changed', () => {
  let app: TestApp;
  before(async () => {
    app = await startSurface();
  });
  after(() => app.close());
  const call = (operation: Operation, address: string, headers: Record<string, string> = {}) =>
    app.call(operation.method, address, operation.example, { headers });

  it('is all that has a PUT, PATCH or DELETE beside its GET, but for lists, sessions and people', () => {
    const untagged = operations
      .filter(({ method, url }) => method === 'GET' && !tagged.some((one) => one.url === url))
      .filter((one) => !objectOf(one, operations));
    const changed = untagged.filter(({ url }) =>
      operations.some((one) => one.url === url && ['PUT', 'PATCH', 'DELETE'].includes(one.method)),
    );
    assert.deepEqual(changed.map(({ url }) => url).toSorted(), [
      '/v2/auth/session/',
      '/v2/lists/:uuid/contacts/',
      '/v2/people/:number/',
      '/v2/sandbox/faults/',
      '/v2/users/me/sessions/',
    ]);
    assert.ok(objects.length >= 22);
  });

  for (const offered of objects) {
    const get = offered.find(({ method }) => method === 'GET')!;
    const changes = changesOf(offered);
    const { url } = get;

    it(`${url} › what is said to change by itself is shown`, async () => {
      const { body } = await call(get, await addressOf(app, get));
      for (const name of get.tagged ? (get.tagged.without ?? []) : []) assert.ok(name in body, name);
    });

    it(`${url} › a tag that is read again is 304, and another one is 200`, async () => {
      const address = await addressOf(app, get);
      const { etag } = (await call(get, address)).headers;
      assert.match(String(etag), strong);
      const again = await call(get, address, { 'if-none-match': `"other", W/${etag}` });
      assert.deepEqual([again.status, again.headers['etag'], again.body], [304, etag, '']);
      assert.equal((await call(get, address, { 'if-none-match': stale })).status, 200);
    });

    it(`${url} › a stale If-Match is 412 and changes nothing`, async () => {
      const address = await addressOf(app, get);
      const { etag } = (await call(get, address)).headers;
      const look = await rowWatch(app.deps.db);
      const rows = await look();
      for (const change of changes) {
        for (const header of [stale, `${stale}, "x"`, `W/${etag}`]) {
          const refused = await call(change, address, { 'if-match': header });
          assertDetail(refused, 412, 'precondition_failed');
          assert.equal(refused.headers['etag'], etag, 'the current tag');
        }
        const malformed = await call(change, address, { 'if-match': 'AAAA' });
        assert.deepEqual([malformed.status, Object.keys(malformed.body)], [400, ['If-Match']]);
      }
      assert.deepEqual(await look(), rows);
    });

    it(`${url} › a current If-Match succeeds, and the answer has the new tag`, async () => {
      const address = await addressOf(app, get);
      for (const change of changes) {
        const { etag } = (await call(get, address)).headers;
        const answer = await call(change, address, { 'if-match': `${stale}, ${etag}` });
        assert.ok(answer.status < 300, `${title(change)} answered ${answer.status} ${JSON.stringify(answer.body)}`);
        if (change.method === 'DELETE') continue;
        const next = await call(get, address);
        assert.equal(answer.headers['etag'], next.headers['etag'], title(change));
        assert.equal((await call(change, address, { 'if-match': '*' })).status, 200);
      }
    });

    it(`${url} › the document says so`, () => {
      const headerOf = (operation: Operation) =>
        (documented(operation) as unknown as { parameters: { name: string; in: string }[] }).parameters
          .filter((parameter) => parameter.in === 'header')
          .map(({ name }) => name);
      const tagIn = (operation: Operation) =>
        'ETag' in ((documented(operation).responses['200'] as { headers?: object } | undefined)?.headers ?? {});
      assert.ok(headerOf(get).includes('If-None-Match') && documented(get).responses['304'] && tagIn(get));
      for (const change of changes) {
        assert.ok(headerOf(change).includes('If-Match') && documented(change).responses['412'], title(change));
        if (change.method !== 'DELETE') assert.ok(tagIn(change), title(change));
      }
    });
  }
});
