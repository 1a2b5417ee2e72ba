import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

it('404 for an id in the path of whatever length', async () => {
  for (const length of [1, 37, 300, 301, 5_000]) {
    const { status, headers, body } = await app.call('GET', `/v2/chatapp/chat-intros/${'x'.repeat(length)}/`);
    assert.deepEqual([status, body], [404, { detail: 'Not found.', code: 'not_found' }], `${length} characters`);
    assert.ok(headers['x-request-id']);
  }
});
