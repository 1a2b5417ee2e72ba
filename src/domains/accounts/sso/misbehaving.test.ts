import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startTestApp, type TestAnswer, type TestApp } from '../../../../test/kit/app.ts';
import { fromConsole } from '../../../../test/kit/person.ts';
import { follow, startIdentityProvider, type TestProvider } from '../../../../test/kit/sign-in/identity-provider.ts';

const providers = '/v2/identity-providers/';
const server = 'http://localhost';
const callback = `${server}/v2/auth/sso/callback/`;

let app: TestApp;
let idp: TestProvider;
let uuid: string;
before(async () => {
  app = await startTestApp({ ROLES: 'api', SSO_ALLOW: '127.0.0.1', PUBLIC_URL: server });
  idp = await startIdentityProvider({ redirectUris: [callback] });
  uuid = await make(idp.issuer);
});
after(async () => {
  await app.close();
  await idp.close();
});
beforeEach(() => {
  idp.instead = undefined;
  idp.person = { sub: 'ana', email: 'ana@example.com', email_verified: true };
});

async function make(issuer: string): Promise<string> {
  const settings = { name: 'Example Corp', issuer, ...idp.client, default_role: 'agent' };
  const made = await app.call('POST', providers, settings);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.uuid;
}
const lastError = async (which = uuid): Promise<string> =>
  (await app.call('GET', `${providers}${which}/`)).body.last_error;
const begin = (which = uuid): Promise<TestAnswer> =>
  app.call('POST', '/v2/auth/sso/start/', { provider: which }, { token: null, headers: fromConsole });
const cookieOf = ({ headers }: TestAnswer): string => String([headers['set-cookie']].flat()[0]).split(';')[0]!;
async function atProvider(which = uuid) {
  const begun = await begin(which);
  assert.equal(begun.status, 200, JSON.stringify(begun.body));
  return { back: await follow(begun.body.authorization_url, callback), cookie: cookieOf(begun), begun };
}
async function comeBack(back: URL, cookie: string): Promise<string> {
  const headers: Record<string, string> = cookie ? { cookie } : {};
  const answer = await app.call('GET', back.pathname + back.search, undefined, { token: null, headers });
  assert.equal(answer.status, 302, JSON.stringify(answer.body));
  const isIn = [answer.headers['set-cookie'] ?? []].flat().some((one) => /^parley_session=\w/.test(String(one)));
  return isIn ? 'in' : new URL(String(answer.headers['location'])).searchParams.get('sso_error')!;
}
const json = (response: ServerResponse, body: unknown, status = 200): true => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return true;
};

describe('The way back from a provider', () => {
  test('works once', async () => {
    const { back, cookie } = await atProvider();
    assert.equal(await comeBack(back, cookie), 'in');
    assert.equal(await comeBack(back, cookie), 'expired');
  });

  test('works in the browser that began, and in no other', async () => {
    const mine = await atProvider();
    const theirs = await atProvider();
    assert.equal(await comeBack(mine.back, ''), 'other_browser');
    assert.equal(await comeBack(theirs.back, mine.cookie), 'other_browser');
  });

  test('is over after ten minutes', async () => {
    const { back, cookie } = await atProvider();
    await app.deps.db.updateTable('sign_in_challenges').set({ expires: '2020-01-01T00:00:00Z' }).execute();
    assert.equal(await comeBack(back, cookie), 'expired');
  });

  test('leads to words, not to an error page, whatever is in the address', async () => {
    for (const query of ['', '?', '?code=x', '?state=', `?state=${'x'.repeat(5000)}`, '?error=x&state=%F0%9F%98%80']) {
      assert.equal(await comeBack(new URL(callback + query), 'parley_sso=abc'), 'expired', query);
    }
    const { back, cookie } = await atProvider();
    back.searchParams.set('code', 'made-up');
    assert.equal(await comeBack(back, cookie), 'provider_error');
    assert.match(await lastError(), /invalid_grant/);
  });

  test('tells what the provider refused', async () => {
    for (const [error, code] of [
      ['access_denied', 'denied'],
      ['server_error', 'provider_error'],
    ]) {
      const { back, cookie } = await atProvider();
      back.searchParams.delete('code');
      back.searchParams.set('error', error!);
      back.searchParams.set('error_description', 'Ask your administrator');
      assert.equal(await comeBack(back, cookie), code);
      assert.equal(await lastError(), `The provider answered ${error}: Ask your administrator`);
    }
  });

  test('is refused with the answer of another issuer (RFC 9207)', async () => {
    const { back, cookie } = await atProvider();
    back.searchParams.set('iss', 'https://evil.example');
    assert.equal(await comeBack(back, cookie), 'provider_error');
  });

  test('cannot be begun by a page of another site', async () => {
    const headers = { origin: 'https://evil.example' };
    const refused = await app.call('POST', '/v2/auth/sso/start/', { provider: uuid }, { token: null, headers });
    assert.equal(refused.body.code, 'csrf_failed');
  });

  test('leads to pages of the console alone', async () => {
    for (const return_to of ['//evil.example', '/\\evil.example', 'https://evil.example', 'evil', '/a b']) {
      const body = { provider: uuid, return_to };
      const refused = await app.call('POST', '/v2/auth/sso/start/', body, { token: null, headers: fromConsole });
      assert.deepEqual([refused.status, Object.keys(refused.body)], [400, ['return_to']], return_to);
    }
  });
});

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Rewrites the ID tokens that the provider gives, signed with a key of ours, which it says is its own. */
function forgeTokens(change: (claims: Record<string, unknown>) => void, key?: KeyObject): void {
  idp.instead = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/jwks' && !key) {
      const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'ours', alg: 'RS256', use: 'sig' };
      return json(response, { keys: [jwk] });
    }
    if (request.url !== '/token') return false;
    const nowSeconds = Math.floor(Date.now() / 1000);
    const claims = {
      ...{ iss: idp.issuer, aud: 'parley', sub: 'ana', nonce: nonce, iat: nowSeconds, exp: nowSeconds + 300 },
      ...{ email: 'ana@example.com', email_verified: true, groups: [] },
    };
    change(claims);
    const head = { alg: 'RS256', kid: 'ours' };
    const text = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const signature = sign('sha256', Buffer.from(text), key ?? pair.privateKey).toString('base64url');
    const id_token = `${text}.${signature}`;
    return json(response, { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token });
  };
}
let nonce = '';
async function withForged(change: (claims: Record<string, unknown>) => void, key?: KeyObject): Promise<string> {
  const { back, cookie, begun } = await atProvider();
  nonce = new URL(begun.body.authorization_url).searchParams.get('nonce')!;
  forgeTokens(change, key);
  return comeBack(back, cookie);
}

describe('An ID token', () => {
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

  test('is accepted as it should be, also by a clock that is off by half a minute', async () => {
    assert.equal(await withForged(() => {}), 'in');
    assert.equal(await withForged((claims) => Object.assign(claims, { exp: inSeconds(-30) })), 'in');
    assert.equal(await withForged((claims) => Object.assign(claims, { iat: inSeconds(30), nbf: inSeconds(30) })), 'in');
  });

  const wrong: Record<string, object> = {
    'another issuer': { iss: 'https://evil.example' },
    'another client': { aud: 'somebody-else' },
    'another nonce': { nonce: 'of another sign-in' },
    'no nonce': { nonce: undefined },
    'no subject': { sub: undefined },
    'an end long ago': { exp: 1_600_000_000 },
    'no end': { exp: undefined },
    'a beginning in an hour': { nbf: Math.floor(Date.now() / 1000) + 3_600 },
  };
  for (const [title, change] of Object.entries(wrong)) {
    test(`is refused with ${title}`, async () => {
      assert.equal(await withForged((claims) => Object.assign(claims, change)), 'provider_error');
      assert.notEqual(await lastError(), '');
    });
  }

  test('is refused with the signature of somebody else', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    assert.equal(await withForged(() => {}, privateKey), 'provider_error');
  });

  test('is read without trouble where claims have other shapes than they should', async () => {
    const odd = { groups: { a: 1 }, name: ['x'], amr: 'pwd', email: ['a@b.example'] };
    assert.equal(await withForged((claims) => Object.assign(claims, { sub: 'odd' }, odd)), 'email_missing');
  });
});

describe('A provider that answers nonsense', () => {
  const answers: Record<string, (response: ServerResponse) => unknown> = {
    'no JSON': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
    'a list': (response) => json(response, []),
    'the document of another issuer': (response) => json(response, { issuer: 'https://evil.example' }),
    'no endpoints': (response) => json(response, { issuer: idp.issuer }),
    'an endpoint that is a script': (response) =>
      json(response, {
        ...{ issuer: idp.issuer, token_endpoint: `${idp.issuer}/token`, jwks_uri: `${idp.issuer}/jwks` },
        authorization_endpoint: 'javascript:alert(1)',
      }),
    'an error': (response) => json(response, {}, 500),
    'a redirect inside': (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  };
  for (const [title, answer] of Object.entries(answers)) {
    test(`such as ${title} is a 502 for whoever signs in, and words for whoever set it up`, async () => {
      const which = await make(idp.issuer);
      idp.instead = (_, response) => {
        answer(response);
        return true;
      };
      const refused = await begin(which);
      assert.deepEqual([refused.status, refused.body.code], [502, 'identity_provider_unavailable']);
      assert.notEqual(await lastError(which), '');
      const tried = await app.call('POST', `${providers}${which}/test/`);
      assert.equal(tried.body.ok, false);
      assert.equal(tried.body.problems.length, 1);
    });
  }

  test('after it was discovered keeps what was known', async () => {
    const which = await make(idp.issuer);
    assert.equal((await begin(which)).status, 200);
    await app.deps.db
      .updateTable('identity_providers')
      .set({ discovered: '2020-01-01T00:00:00Z' })
      .where('uuid', '=', which)
      .execute();
    idp.instead = (_, response) => json(response, {}, 500);
    assert.equal((await begin(which)).status, 200);
  });
});
