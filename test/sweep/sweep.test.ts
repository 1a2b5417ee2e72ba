// Guarantees that hold for every operation, driven from the route table: a new room is covered the moment it is mounted.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';
import { answerChecker } from './documented-answer.ts';
import { walkAsPerson } from './persons.ts';
import { rowWatch } from './rows.ts';
import {
  addressOf,
  assertDetail,
  assertRefusal,
  byReference,
  documented,
  isPersonal,
  type Operation,
  operations,
  outlivesDelete,
  startSurface,
  title,
  withObjects,
  withParams,
  withToken,
} from './surface.ts';

const idOfNothing = '01890000-0000-7000-8000-000000000000';
const anyAddress = ({ url }: Operation): string => url.replaceAll(/:\w+/g, idOfNothing);
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** An object is read and changed before it is deleted. */
const kindestFirst = (a: Operation, b: Operation): number => rank(a) - rank(b);
const rank = ({ method }: Operation): number => ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'].indexOf(method);
const byUrl = (list: readonly Operation[]): [string, Operation[]][] => [...Map.groupBy(list, ({ url }) => url)];

describe('Every operation', () => {
  let app: TestApp;
  before(async () => {
    app = await startSurface();
  });
  after(() => app.close());

  it('that takes a body has an example, and its errors are documented', () => {
    for (const operation of operations) {
      assert.equal(operation.example === undefined, operation.body === undefined, `${title(operation)}: example`);
      const statuses = Object.keys(documented(operation).responses);
      if (operation.body) assert.ok(statuses.includes('400') && statuses.includes('415'), title(operation));
      if (operation.scope !== 'public') assert.ok(statuses.includes('401'), title(operation));
      if (operation.url.includes(':')) assert.ok(statuses.includes('404'), title(operation));
    }
  });

  for (const operation of withToken) {
    const { method, example } = operation;
    const as = (headers: Record<string, string>, token: string | null = null) =>
      app.call(method, anyAddress(operation), example, { token, headers });

    it(`${title(operation)} › 401 without a token and with a wrong one`, async () => {
      const none = await as({});
      assertDetail(none, 401, 'not_authenticated', 'Authentication credentials were not provided.');
      assert.equal(none.headers['www-authenticate'], 'Token');
      for (const authorization of [`Token ${'0'.repeat(40)}`, 'Bearer nobody', 'Token', 'Basic YTpi', 'Token a b']) {
        const wrong = await as({ authorization });
        assertDetail(wrong, 401, 'authentication_failed', 'Invalid token.');
        assert.equal(wrong.headers['www-authenticate'], 'Token');
      }
    });

    it(`${title(operation)} › 403 with a token of another scope`, async (t) => {
      if (operation.scope === 'any') return t.skip('any token will do');
      const [group, action] = operation.scope.split(':');
      // As near as a wrong one can be: the same group and the other action, and another group with the same action.
      const near = action === undefined ? ['read', 'write'] : [`${group}:${action === 'read' ? 'write' : 'read'}`];
      const scopes = [...near, `other:${action ?? 'write'}`];
      const made = await app.call('POST', '/v2/auth/tokens/', { name: 'Another scope', scopes });
      const refused = await as({}, made.body.token);
      assertDetail(refused, 403, 'permission_denied', 'You do not have permission to perform this action.');
    });
  }

  for (const [url, offered] of byUrl(operations)) {
    const allowed = new Set<string>(offered.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
    it(`${url} › 405 with Allow for every other method`, async () => {
      for (const method of methods.filter((method) => !allowed.has(method))) {
        const answer = await app.call(method, anyAddress(offered[0]!), method === 'GET' ? undefined : {});
        assertDetail(answer, 405, 'method_not_allowed', `Method "${method}" not allowed.`);
        assert.deepEqual(new Set(String(answer.headers['allow']).split(', ')), allowed);
      }
    });
  }

  for (const [url, offered] of byUrl(withObjects)) {
    it(`${url} › another tenant's object is not found, and stays unharmed`, async () => {
      const address = await addressOf(app, offered[0]!);
      const look = await rowWatch(app.deps.db);
      const before = await look();
      for (const { method, example } of offered) {
        const stranger = await app.call(method, address, example, { token: app.otherToken });
        assertDetail(stranger, 404, 'not_found', 'Not found.');
      }
      assert.deepEqual(await look(), before);

      const collection = url.slice(0, url.indexOf(':'));
      const key = decodeURIComponent(address.slice(collection.length).split('/')[0]!);
      if (operations.some((operation) => operation.method === 'GET' && operation.url === collection)) {
        const keysOf = async (token: string) =>
          JSON.stringify((await app.call('GET', collection, undefined, { token })).body);
        assert.ok((await keysOf(app.token)).includes(key), 'the owner finds it in the list');
        assert.ok(!(await keysOf(app.otherToken)).includes(key), 'the stranger does not');
      }
    });
  }

  const check = answerChecker();
  it('that only a person can call succeeds for one, with exactly the documented answer', async () => {
    const steps = await walkAsPerson(app);
    for (const { operation, answer } of steps) check(operation, answer);
    const walked = steps.map(({ operation }) => operation.operationId);
    assert.deepEqual(
      walked.toSorted(),
      operations
        .filter(isPersonal)
        .map((one) => one.operationId)
        .toSorted(),
    );
  });

  for (const [url, offered] of byUrl(operations.filter((one) => !isPersonal(one)))) {
    it(`${url} › the owner's examples succeed with exactly the documented answer`, async () => {
      const address = await addressOf(app, offered[0]!);
      const ordered = offered.toSorted(kindestFirst);
      for (const operation of ordered) {
        const answer = await app.call(operation.method, address, operation.example);
        const isGood = answer.status < 300 || (answer.status === 302 && 302 in operation.responses);
        assert.ok(isGood, `${title(operation)} answered ${answer.status} ${JSON.stringify(answer.body)}`);
        check(operation, answer);
        assert.equal(answer.headers['parley-ignored-fields'], undefined, 'an example has no unknown fields');
      }
      if (url.includes(':') && ordered.at(-1)!.method === 'DELETE' && !outlivesDelete(url)) {
        const { method, example } = ordered[0]!;
        assertDetail(await app.call(method, address, example), 404, 'not_found', 'Not found.');
      }
    });
  }

  const strangeTexts = [
    '%00',
    'a%00b',
    '%ED%A0%80',
    '%',
    '%2e%2e',
    '..%2f',
    "'%20or%201=1",
    '-1',
    '0',
    '[]',
    '9'.repeat(290),
  ];
  for (const operation of withParams.filter(({ url }) => url !== byReference)) {
    it(`${title(operation)} › a malformed id names nothing`, async () => {
      for (const text of strangeTexts) {
        const { status } = await app.call(operation.method, operation.url.replaceAll(/:\w+/g, text), operation.example);
        // Dots are resolved before anything is looked up, and may lead to an address that takes other methods or bodies.
        const elsewhere = text === '%2e%2e' && (status === 405 || status === 400);
        assert.ok(
          status === 404 || elsewhere || (status === 200 && operation.method === 'GET'),
          `${text} answered ${status}`,
        );
      }
    });
  }

  const strangeMoments = [
    'yesterday',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2026-02-30T00:00:00Z',
    'infinity',
  ];
  for (const operation of operations.filter(({ query }) => query)) {
    const fields = Object.keys((operation.query as { properties?: object }).properties ?? {});
    it(`${title(operation)} › 400 or 404 for a bad query string, never 500`, async () => {
      const address = await addressOf(app, operation);
      const ask = (query: string) => app.call('GET', `${address}?${query}`);
      const has = (name: string) => fields.includes(name);
      for (const size of has('page_size') ? ['0', '201', 'x', '1.5', '-1', '1e2'] : []) {
        const answer = await ask(`page_size=${size}`);
        assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['page_size']], `page_size=${size}`);
      }
      for (const name of ['ordering', 'created_after', 'created_before'].filter(has)) {
        const answer = await ask(`${name}=yesterday`);
        assert.deepEqual([answer.status, Object.keys(answer.body)], [400, [name]]);
      }
      for (const cursor of has('cursor') ? ['garbage', 'bm90LWEta2V5', '%00', 'n'.repeat(299)] : []) {
        const answer = await ask(`cursor=${cursor}`);
        if (cursor !== '%00') assertDetail(answer, 404, 'invalid_page', 'Invalid page.');
      }
      for (const text of [...strangeTexts, ...strangeMoments, '', 'x'.repeat(5_000)]) {
        // The two that are the same everywhere were asked for above, and are refused before anybody looks for anything.
        for (const name of fields.filter((name) => name !== 'page_size' && name !== 'ordering')) {
          const answer = await ask(`${name}=${text}&${name}=${text}`);
          if (answer.status >= 400) assertRefusal(answer);
        }
      }
    });
  }
});

it("GET /v2/sandbox/phones/:number/ › shows one account's messages to nobody else", async () => {
  const app = await startTestApp();
  try {
    const phone = '/v2/sandbox/phones/+447700900123/';
    const create = operations.find(({ operationId }) => operationId === 'createMessage')!;
    assert.equal((await app.call('POST', create.url, create.example)).status, 201);
    await until(async () => (await app.call('GET', phone)).body.count > 0);
    assert.equal((await app.call('GET', phone, undefined, { token: app.otherToken })).body.count, 0);
  } finally {
    await app.close();
  }
});
