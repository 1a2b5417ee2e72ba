import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it, mock } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { makeAuthority } from '../../../test/kit/certificates.ts';
import { databaseUrl } from '../../../test/kit/database.ts';
import { run } from '../run.ts';
import type { Finding } from './finding.ts';

describe('parley doctor', () => {
  let app: TestApp;
  let directory: string;
  let usual: Record<string, string>;
  before(async () => {
    app = await startTestApp({ SMPP_ALLOW: '127.0.0.1/32' });
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-doctor-'));
    await writeFile(path.join(directory, 'secret-key'), 'a key for tests', { mode: 0o600 });
    const { port } = app.app.server.address() as AddressInfo;
    usual = {
      DATABASE_URL: databaseUrl(app.connection),
      DATA_DIR: directory,
      PORT: String(port),
    };
  });
  after(async () => {
    await app.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function parley(...args: string[]) {
    const out: string[] = [];
    const mocked = mock.method(console, 'log', (line: string) => void out.push(line));
    const code = await run(['node', 'parley', 'doctor', ...args], usual).finally(() => mocked.mock.restore());
    return { code, out: out.join('\n') };
  }
  /** What it finds with these settings, by check. */
  async function findings(env: Record<string, string> = {}) {
    const before = usual;
    usual = { ...usual, ...env };
    const { code, out } = await parley('--json').finally(() => {
      usual = before;
    });
    const all: Finding[] = JSON.parse(out).findings;
    return { code, all, of: (check: string) => all.filter((finding) => finding.check === check) };
  }
  const levels = (found: Finding[]) => found.map(({ level }) => level);

  it('finds nothing wrong with a server that runs, apart from a disk that is full', async () => {
    const { all, of } = await findings();
    // The database of tests is quick instead of safe, which is the one thing to be found.
    assert.deepEqual(
      all.filter(({ level, check }) => level !== 'ok' && check !== 'disk').map(({ advice }) => advice),
      ['Set fsync = on.', 'Set full_page_writes = on.'],
    );
    assert.match(of('port')[0]!.text, /^Parley answers at http/);
    assert.match(of('migrations')[0]!.text, /^All \d+ are applied/);
    for (const check of ['settings', 'data_dir', 'clock', 'secret_key', 'processes', 'ready']) {
      assert.deepEqual(levels(of(check)), ['ok'], check);
    }
    const { out } = await parley();
    assert.match(out, /^ok {7}migrations {3}All \d+ are applied\.$/m);
  });

  it('names the setting that is wrong, and those that are unwise, with advice', async () => {
    const wrong = await findings({ PORT: 'x' });
    assert.deepEqual([wrong.code, wrong.all.length, /PORT="x"/.test(wrong.all[0]!.text)], [2, 1, true]);
    const unwise = await findings({ HOST: '0.0.0.0', PORT: '0', WEBHOOK_ALLOW_PRIVATE: 'true' });
    assert.ok(unwise.of('settings').some(({ text, advice }) => /PUBLIC_URL is empty/.test(text) && advice));
    assert.ok(unwise.of('settings').some(({ text }) => /WEBHOOK_ALLOW_PRIVATE/.test(text)));
    assert.ok(unwise.code >= 1);
  });

  it('finds a database that is away, a key that does not fit, and migrations that are missing or newer', async () => {
    const away = await findings({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    assert.deepEqual([away.code, levels(away.of('database'))], [2, ['problem']]);
    assert.deepEqual(levels((await findings({ SECRET_KEY: 'quite another key' })).of('secret_key')), ['problem']);
    const last = await sql<{ version: number; name: string; checksum: string }>`
      delete from schema_migrations where version = (select max(version) from schema_migrations) returning *`.execute(
      app.deps.db,
    );
    assert.match((await findings()).of('migrations')[0]!.text, /^1 are not applied/);
    const { version, name, checksum } = last.rows[0]!;
    await sql`insert into schema_migrations values (${version}, ${name}, ${checksum}), (9999, '9999_x.sql', '')`.execute(
      app.deps.db,
    );
    assert.deepEqual(levels((await findings()).of('migrations')), ['problem']);
    await sql`delete from schema_migrations where version = 9999`.execute(app.deps.db);
  });

  it('tells a port of another program from one of Parley, and a free one', async () => {
    const other = createServer((_, answer) => answer.end('hello')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const taken = await findings({ PORT: String(port) });
    assert.match(taken.of('port')[0]!.text, /taken by another program/);
    await new Promise((resolve) => other.close(resolve));
    assert.match((await findings({ PORT: String(port) })).of('port')[0]!.text, /is free/);
  });

  it('finds secrets that others can read, and names that DNS does not know', {
    skip: process.platform === 'win32',
  }, async () => {
    const dataDir = path.join(directory, 'open');
    await mkdir(dataDir);
    await writeFile(path.join(dataDir, 'secret-key'), 'x');
    await chmod(path.join(dataDir, 'secret-key'), 0o644);
    const { of } = await findings({ DATA_DIR: dataDir, ASTERISK_URL: 'http://asterisk.invalid:8088' });
    assert.deepEqual([of('data_dir')[0]!.level, /^chmod 600/.test(of('data_dir')[0]!.advice!)], ['problem', true]);
    assert.match(of('dns')[0]!.text, /asterisk\.invalid \(ASTERISK_URL\) is not found/);
  });

  it('looks at the files of a certificate: whether they fit, who reads the key, how long it is valid', async () => {
    const [cert, key] = [path.join(directory, 'cert.pem'), path.join(directory, 'key.pem')];
    const tls = { TLS_CERT_FILE: cert, TLS_KEY_FILE: key };
    const issued = makeAuthority().issue(['localhost'], { days: 3 });
    await writeFile(cert, issued.cert);
    assert.match((await findings(tls)).of('tls_files')[0]!.text, /key\.pem cannot be read \(ENOENT\)/);
    await writeFile(key, issued.key, { mode: 0o600 });
    const [soon] = (await findings(tls)).of('tls_files');
    assert.deepEqual([soon!.level, /ends in 2 days/.test(soon!.text)], ['warning', true]);
    await writeFile(key, makeAuthority().issue(['localhost']).key);
    assert.match((await findings(tls)).of('tls_files')[0]!.text, /are not a certificate and its key in PEM/);
    assert.equal((await findings({ TLS_CERT_FILE: cert })).code, 2);
  });

  it('finds a link that is down, and says why', async () => {
    const link = { name: 'one', host: '127.0.0.1', port: 1, system_id: 'a', password: 'b' };
    assert.equal((await app.call('POST', '/v2/sms-links/', link)).status, 201);
    const [found] = (await findings()).of('links');
    assert.deepEqual([found!.level, /SMS link "one" of "First account" is/.test(found!.text)], ['problem', true]);
  });
});
