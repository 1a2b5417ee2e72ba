import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { citusUrl, createTestDatabase, type TestDatabase } from '../../../test/kit/database.ts';
import { run } from '../run.ts';

describe('parley distribute', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  /** What a command prints, and its exit code. */
  async function parley(args: string[], env: Record<string, string>) {
    const said: string[] = [];
    const [log, error] = (['log', 'error'] as const).map((way) =>
      mock.method(console, way, (line: string) => void said.push(line)),
    );
    const code = await run(['node', 'parley', 'distribute', ...args], env).finally(() => {
      log!.mock.restore();
      error!.mock.restore();
    });
    return { code, said };
  }

  it('refuses the embedded PostgreSQL', async () => {
    const { code, said } = await parley([], {});
    assert.equal(code, 2);
    assert.match(said.join(), /embedded PostgreSQL has no Citus\. Set DATABASE_URL/);
  });

  it('refuses a PostgreSQL without Citus', {
    skip: citusUrl ? 'CITUS_URL names a server with Citus' : false,
  }, async () => {
    const { code, said } = await parley([], { DATABASE_URL: database.url });
    assert.equal(code, 1);
    assert.match(said.join(), /has no Citus/);
  });

  it('lists which table becomes what', async () => {
    const { code, said } = await parley(['--dry-run'], { DATABASE_URL: database.url });
    assert.equal(code, 0);
    assert.ok(said.some((line) => /^messages +distributed by account_id/.test(line)));
    assert.ok(said.some((line) => /^links +distributed by shortcode/.test(line)));
    assert.ok(said.some((line) => /^tokens +reference table/.test(line)));
    assert.ok(said.some((line) => /^processes +local table/.test(line)));
    const json = await parley(['--dry-run', '--json'], { DATABASE_URL: database.url });
    const [list] = json.said.map((line) => JSON.parse(line));
    assert.deepEqual(
      list.find((one: { table: string }) => one.table === 'messages'),
      { table: 'messages', home: 'account', was_there: citusUrl !== undefined },
    );
  });
});
