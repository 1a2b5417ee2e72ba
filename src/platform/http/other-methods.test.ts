import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';

describe('a known address with another method', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
  });
  after(() => app.close());

  const refusalOf = async (...asked: Parameters<TestApp['call']>) => {
    const { status, headers, body } = await app.call(...asked);
    return [status, headers['allow'], body.code];
  };

  it('is a 405 that says what is allowed, with or without a slash at the end, whatever the body', async () => {
    assert.deepEqual(await refusalOf('DELETE', '/v2/campaigns/'), [405, 'GET, POST, HEAD', 'method_not_allowed']);
    assert.deepEqual(await refusalOf('PATCH', '/v2/campaigns', '{ no JSON'), [
      405,
      'GET, POST, HEAD',
      'method_not_allowed',
    ]);
    const { body } = await app.call('DELETE', '/v2/campaigns/?page=2');
    assert.deepEqual(body, { detail: 'Method "DELETE" not allowed.', code: 'method_not_allowed' });
  });

  it('asks for a token first, unless the address is everybody’s', async () => {
    assert.deepEqual(await refusalOf('DELETE', '/v2/campaigns/', undefined, { token: null }), [
      401,
      undefined,
      'not_authenticated',
    ]);
    const { status } = await app.call('GET', '/v2/auth/invitation/', undefined, { token: null });
    assert.equal(status, 405);
  });

  it('is told by the fixed address where there is one, and by that of an object elsewhere', async () => {
    assert.deepEqual(await refusalOf('GET', '/v2/opt-outs/upload/'), [405, 'POST', 'method_not_allowed']);
    assert.deepEqual(await refusalOf('PUT', '/v2/opt-outs/upload/'), [405, 'POST', 'method_not_allowed']);
    assert.deepEqual(await refusalOf('PUT', '/v2/opt-outs/447700900001/'), [
      405,
      'GET, DELETE, HEAD',
      'method_not_allowed',
    ]);
  });

  it('has no GET, and therefore no HEAD', async () => {
    const { statusCode, headers } = await app.app.inject({
      method: 'HEAD',
      url: '/v2/opt-outs/upload/',
      headers: { authorization: `Token ${app.token}` },
    });
    assert.deepEqual([statusCode, headers['allow']], [405, 'POST']);
  });

  it('is not found where nothing is, or the id is too long for any', async () => {
    for (const url of ['/v2/nothing/', '/v2//campaigns/', '/v2/campaigns/%', `/v2/campaigns/${'a'.repeat(400)}/`])
      assert.equal((await app.call('GET', url)).status, 404, url);
    assert.equal((await app.call('OPTIONS', '/v2/campaigns/')).status, 404);
  });
});
