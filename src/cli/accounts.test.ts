import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it, mock } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../test/kit/app.ts';
import { until } from '../../test/kit/until.ts';
import { run } from './run.ts';

describe('parley accounts', () => {
  let app: TestApp;
  let env: string[];
  before(async () => {
    app = await startTestApp({ ROLES: 'api,worker' });
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.app.server.address() as AddressInfo;
    env = ['--url', `http://127.0.0.1:${port}`, '--token', app.token];
  });
  after(() => app.close());

  async function parley(...args: string[]) {
    const out: string[] = [];
    const err: string[] = [];
    const mocks = [
      mock.method(console, 'log', (text: string) => out.push(text)),
      mock.method(console, 'error', (text: string) => err.push(text)),
      mock.method(process.stderr, 'write', () => true),
    ];
    try {
      const code = await run(['node', 'parley', 'accounts', ...args, ...env], {});
      return { code, out: out.join('\n'), err: err.join('\n') };
    } finally {
      for (const one of mocks) one.mock.restore();
    }
  }
  const created = async (name: string, ...more: string[]) =>
    JSON.parse((await parley('create', name, ...more, '--json')).out);

  it('creates an account with limits, shows it, lists it, and makes its first token', async () => {
    const { uuid, limits, default_country } = await created('Bay', '--country', 'ES', '--requests-per-minute', '9000');
    assert.deepEqual([limits, default_country], [{ requests_per_minute: 9000 }, 'ES']);
    assert.match((await parley('show', uuid)).out, /^Bay\n.*status {3}ACTIVE\n.*ES, UTC\n.*requests_per_minute 9000/s);
    assert.match((await parley('list')).out, new RegExp(`${uuid}  ACTIVE     Bay`));
    const { out: token } = await parley('token', uuid, '--scope', 'account:read');
    assert.equal((await app.call('GET', '/v2/account/', undefined, { token })).body.uuid, uuid);
  });

  it('limits: what is not named stays, `default` takes one away', async () => {
    const { uuid } = await created('Cove', '--requests-per-minute', '9000');
    await parley('limit', uuid, '--storage-bytes', '5');
    const limits = async () => (await app.call('GET', `/v2/accounts/${uuid}/`)).body.limits;
    assert.deepEqual(await limits(), { requests_per_minute: 9000, storage_bytes: 5 });
    await parley('limit', uuid, '--requests-per-minute', 'default');
    assert.deepEqual(await limits(), { storage_bytes: 5 });
    assert.deepEqual(
      [(await parley('limit', uuid)).code, (await parley('limit', uuid, '--storage-bytes', 'x')).code],
      [2, 2],
    );
  });

  it('suspends and resumes', async () => {
    const { uuid } = await created('Dock');
    assert.match((await parley('suspend', uuid)).out, /SUSPENDED/);
    assert.match((await parley('list', '--status', 'SUSPENDED')).out, /Dock/);
    assert.match((await parley('resume', uuid)).out, /ACTIVE/);
    const own = await parley('suspend', app.accountId);
    assert.deepEqual([own.code, own.err], [1, "The operator's own account cannot be suspended or deleted."]);
  });

  it('deletes when the name is right, and waits for the end', async () => {
    const { uuid } = await created('Eddy');
    const wrong = await parley('delete', uuid, '--confirm', 'Dock');
    assert.deepEqual([wrong.code, (await app.call('GET', `/v2/accounts/${uuid}/`)).body.status], [2, 'ACTIVE']);
    let isOver = false;
    const deleting = parley('delete', uuid, '--confirm', 'Eddy').finally(() => {
      isOver = true;
    });
    // The job waits a while before its last look; here it need not.
    await until(async () => {
      await sql`update jobs set due_at = now() where type = 'accounts.delete'`.execute(app.deps.db);
      return isOver;
    });
    const { code, out, err } = await deleting;
    assert.equal(code, 0, err);
    assert.match(out, /^Job .*: SUCCEEDED, \d+ rows, 0 files, 0 numbers\.$/);
    assert.equal((await app.call('GET', `/v2/accounts/${uuid}/`)).status, 404);
  });
});
