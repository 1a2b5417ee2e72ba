import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { databaseUrl } from '../../../test/kit/database.ts';
import { sealAuditEntries } from '../../platform/http/audit-chain.ts';
import { newId } from '../../platform/ids.ts';
import { run } from '../run.ts';

describe('parley audit', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
    for (const name of ['One', 'Two', 'Three']) await app.call('PATCH', '/v2/account/', { name });
    await sealAuditEntries(app.deps.db, app.deps.vault, app.accountId);
  });
  after(() => app.close());

  async function parley(...args: string[]) {
    const out: string[] = [];
    const err: string[] = [];
    const mocks = [
      mock.method(console, 'log', (text: string) => void out.push(text)),
      mock.method(console, 'error', (text: string) => void err.push(text)),
    ];
    const env = { DATABASE_URL: databaseUrl(app.connection), SECRET_KEY: 'a key for tests' };
    const code = await run(['node', 'parley', 'audit', ...args], env).finally(() => {
      for (const one of mocks) one.mock.restore();
    });
    return { code, out, err: err.join('\n') };
  }

  it('verify says that all chains are intact, for people and as JSON', async () => {
    const { code, out } = await parley('verify');
    assert.equal(code, 0, out.join('\n'));
    assert.match(out.find((line) => line.includes(app.accountId))!, /^INTACT .*: 3 entries, the last 3 [0-9a-f]{64}$/);
    const asJson = await parley('verify', '--json', '--account', app.accountId);
    const [report, ...others] = JSON.parse(asJson.out.join(''));
    assert.deepEqual([asJson.code, report.status, report.checked, others], [0, 'INTACT', 3, []]);
  });

  it('export prints the entries of one account, each with its number and hash', async () => {
    const { code, out } = await parley('export', '--account', app.accountId);
    assert.equal(code, 0);
    const entries = out.map((line) => JSON.parse(line));
    assert.deepEqual(
      entries.map(({ operation }) => operation),
      ['updateAccount', 'updateAccount', 'updateAccount'],
    );
    assert.deepEqual(entries.map(({ sequence }) => sequence).toSorted(), [1, 2, 3]);
    for (const { hash } of entries) assert.match(hash, /^[0-9a-f]{64}$/);
  });

  it('verify ends with 1 where an entry was changed, and names it; another account stays intact', async () => {
    await sql`update audit_log set summary = 'Nothing happened' where account_id = ${app.accountId} and sequence = 2`.execute(
      app.deps.db,
    );
    const { code, out } = await parley('verify');
    assert.equal(code, 1);
    assert.match(out.find((line) => line.includes(app.accountId))!, /\(entry 2\)$/);
    assert.ok(out.some((line) => line.startsWith('INTACT') && !line.includes(app.accountId)));
  });

  it('refuses what is no account', async () => {
    for (const args of [
      ['verify', '--account', 'nobody'],
      ['verify', '--account', newId()],
      ['export', '--account', 'nobody'],
    ])
      assert.equal((await parley(...args)).code, 2, args.join(' '));
  });
});
