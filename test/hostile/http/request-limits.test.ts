// How often may be asked: an account with all its tokens together, and whoever brings no valid token by its address.
import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { startTestApp, type TestApp } from '../../kit/app.ts';
import { type Answered, type Asking, ask } from './raw.ts';

const most = 20;

/** The application behind one proxy, which names the client at the end of the list. */
async function startBehindProxy(env: Record<string, string> = {}) {
  const app = await startTestApp({
    TRUST_PROXY: '1',
    UNAUTHENTICATED_REQUESTS_PER_MINUTE: String(most),
    ...env,
  });
  const url = new URL(await app.app.listen({ port: 0, host: '127.0.0.1' }));
  const from = (address: string, method: string, path: string, options: Asking = {}): Promise<Answered> =>
    ask(url, method, path, { ...options, headers: { 'x-forwarded-for': address, ...options.headers } });
  return { app, from };
}

function assertThrottled({ status, headers, body }: Answered): number {
  assert.equal(status, 429);
  const seconds = Number(headers['retry-after']);
  assert.ok(seconds >= 1 && seconds <= 60, `Retry-After ${seconds}`);
  const detail = `Request was throttled. Expected available in ${seconds} seconds.`;
  assert.deepEqual(body, { detail, code: 'throttled' });
  return seconds;
}

describe('requests without a valid token', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  let from: Awaited<ReturnType<typeof startBehindProxy>>['from'];
  before(async () => {
    ({ app, from } = await startBehindProxy());
  });
  after(() => app.close());
  const path = '/v2/account/';
  const guess = (address: string): Promise<Answered> => from(address, 'GET', path, { token: `guess-${Math.random()}` });

  /** Asks until it is too often: no later than in the second minute, should one end meanwhile. */
  const exhaust = async (ask: (n: number) => Promise<Answered>): Promise<void> => {
    for (let n = 0; n <= 2 * most; n++) {
      const answer = await ask(n);
      if (answer.status !== 401) return void assertThrottled(answer);
    }
    assert.fail('never throttled');
  };

  it('are limited by address, also those that come at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 3 * most }, () => guess('203.0.113.1')));
    assert.equal(answers.filter(({ status }) => status === 401).length, most);
    const throttled = answers.filter(({ status }) => status !== 401);
    assert.equal(throttled.length, 2 * most);
    for (const answer of throttled) assertThrottled(answer);
    assert.equal((await guess('203.0.113.2')).status, 401, 'another address has its own');
  });

  it('with no token, a malformed one, a wrong one or a wrong cookie: all of them count', async () => {
    const address = '203.0.113.3';
    const kinds: Asking[] = [
      {},
      { headers: { authorization: 'Basic abc' } },
      { token: 'wrong' },
      { headers: { cookie: 'parley_session=wrong' } },
    ];
    await exhaust((n) => from(address, 'GET', path, kinds[n % 4]));
    for (const kind of kinds) assertThrottled(await from(address, 'GET', path, kind));
    assertThrottled(await from(address, 'PUT', path, {}));
    assertThrottled(await from(address, 'GET', '/v2/events/stream/', {}));
  });

  it('do not hinder the valid tokens in use at that address, nor what is public', async () => {
    const address = '203.0.113.4';
    const mine = { token: app.token };
    assert.equal((await from(address, 'GET', path, mine)).status, 200);
    await exhaust(() => guess(address));
    for (let n = 0; n < 2 * most; n++) assert.equal((await from(address, 'GET', path, mine)).status, 200);
    // Also when the database has to be asked again.
    app.deps.caches.forget('tokens');
    assert.equal((await from(address, 'GET', path, mine)).status, 200);
    for (const open of ['/healthz', '/readyz', '/metrics', '/docs', '/openapi.json']) {
      assert.equal((await from(address, 'GET', open)).status, 200, open);
    }
    assert.equal((await from(address, 'GET', '/l/zz22222222')).status, 404);
    assert.equal((await from(address, 'POST', '/v2/nothing/')).status, 404);
    const webhook = `/carriers/cloud-api/${crypto.randomUUID()}/webhook`;
    assert.equal((await from(address, 'POST', webhook, { body: {} })).status, 404);
  });

  it('valid tokens do not count, however many', async () => {
    const address = '203.0.113.5';
    for (let n = 0; n < 3 * most; n++) {
      app.deps.caches.forget('tokens');
      assert.equal((await from(address, 'GET', path, { token: app.token })).status, 200);
    }
    assert.equal((await guess(address)).status, 401);
  });

  it('a /64 of IPv6 is one address', async () => {
    await exhaust((n) => guess(`2001:db8:1:2:${n}::${n}`));
    assert.equal((await guess('2001:db8:1:3::1')).status, 401);
  });

  it('an address that the client itself wrote into X-Forwarded-For changes nothing', async () => {
    await exhaust((n) => guess(`198.51.100.${n}, 203.0.113.6`));
  });

  it('a wall clock that is set back by an hour, or a day ahead, moves no limit', async () => {
    const address = '203.0.113.7';
    await exhaust(() => guess(address));
    const now = Date.now;
    for (const stepMs of [-3_600_000, 86_400_000]) {
      mock.method(Date, 'now', () => now() + stepMs);
      try {
        assertThrottled(await guess(address));
      } finally {
        mock.restoreAll();
      }
    }
  });
});

describe('the limit of an account', { timeout: 1_800_000 }, () => {
  it('is one for all its tokens, and another account has its own', async () => {
    const { app, from } = await startBehindProxy();
    try {
      const created = await app.call('POST', '/v2/auth/tokens/', { name: 'another', scopes: ['read'] });
      assert.equal(created.status, 201, JSON.stringify(created.body));
      assert.equal((await app.call('PATCH', '/v2/account/', { limits: { requests_per_minute: 10 } })).status, 200);
      const left: number[] = [];
      const ask = async (token: string): Promise<Answered> => {
        const answer = await from('203.0.113.1', 'GET', '/v2/account/', { token });
        const [, remaining] = /^"token";r=(\d+);t=\d+$/.exec(String(answer.headers['ratelimit'])) ?? [];
        assert.equal(answer.headers['ratelimit-policy'], `"token";q=${token === app.otherToken ? 600000 : 10};w=60`);
        left.push(Number(remaining));
        return answer;
      };
      // The two requests above count, too.
      for (let n = 0; n < 4; n++) {
        assert.equal((await ask(app.token)).status, 200);
        assert.equal((await ask(created.body.token)).status, 200);
      }
      assert.deepEqual(left, [7, 6, 5, 4, 3, 2, 1, 0]);
      assertThrottled(await ask(app.token));
      assertThrottled(await ask(created.body.token));
      assert.equal((await ask(app.otherToken)).status, 200);
    } finally {
      await app.close();
    }
  });
});

describe('the client address behind proxies', { timeout: 1_800_000 }, () => {
  const chain = '198.51.100.66, 203.0.113.9, 10.0.0.2';
  const cases: [trust: string, expected: string][] = [
    ['true', '198.51.100.66'],
    ['2', '203.0.113.9'],
    ['127.0.0.0/8, 10.0.0.0/8', '203.0.113.9'],
  ];
  for (const [trust, expected] of cases) {
    it(`TRUST_PROXY=${trust}: the audit log names ${expected}`, async () => {
      const { app, from } = await startBehindProxy({ TRUST_PROXY: trust });
      try {
        const made = await from(chain, 'POST', '/v2/lists/', { token: app.token, body: { name: 'A' } });
        assert.equal(made.status, 201, made.text);
        const { results } = (await app.call('GET', '/v2/audit-log/')).body;
        assert.equal(results[0].address, expected);
      } finally {
        await app.close();
      }
    });
  }
});
