import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';

test('a network that asks for challenges too often waits; that is counted by each server for itself', async () => {
  await using apps = new AsyncDisposableStack();
  const start = async (): Promise<TestApp> => apps.adopt(await startTestApp({ ROLES: 'api' }), (app) => app.close());
  const ask = (app: TestApp) => app.call('POST', '/v2/auth/passkey-options/', undefined, { token: null });
  const [app, other] = [await start(), await start()];
  const statuses = new Set<number>();
  for (let asked = 0; asked < 60; asked++) statuses.add((await ask(app)).status);
  const refused = await ask(app);
  assert.deepEqual([...statuses, refused.status, refused.body.code], [200, 429, 'throttled']);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal((await ask(other)).status, 200);
});
