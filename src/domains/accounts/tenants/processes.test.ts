import assert from 'node:assert/strict';
import os from 'node:os';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';
import { startListener } from '../../../platform/db/connect/listener.ts';
import { registerProcess } from '../../../platform/process/living.ts';

describe('GET /v2/network-status/', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
  });
  after(() => app.close());
  const read = async () => (await app.call('GET', '/v2/network-status/')).body.processes;

  it('names each process that is alive with its host, version and roles, and no longer when it is gone', async () => {
    const [own, ...others] = await read();
    assert.deepEqual(others, []);
    assert.deepEqual([own.host, own.pid, own.roles], [os.hostname(), process.pid, ['api']]);
    assert.match(own.version, /^\d+\.\d+\.\d+/);
    const listener = await startListener(app.connection, app.deps.log);
    await registerProcess(app.deps.db, listener, { roles: ['worker'], keyIds: [] });
    assert.deepEqual((await read()).map(({ roles }: { roles: string[] }) => roles).sort(), [['api'], ['worker']]);
    await listener.close();
    await until('the other one is gone', async () => (await read()).length === 1);
  });

  it('is for the operator alone', async () => {
    assert.equal((await app.call('GET', '/v2/network-status/', undefined, { token: app.otherToken })).status, 403);
  });
});
