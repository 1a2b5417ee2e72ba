import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../kit/database.ts';
import { missingStore, startStore, type TestStore } from '../../kit/files/store.ts';
import { type Parley, startParley } from '../../kit/program/parley-process.ts';
import { until } from '../../kit/until.ts';

const token = 'a-token-for-the-test-of-two-hosts';
const authorization = `Token ${token}`;
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('Two hosts, one database and one file store', { skip: missingStore, timeout: 1_800_000 }, () => {
  let directory: string;
  let database: TestDatabase;
  let store: TestStore;
  let env: Record<string, string>;
  const hosts: Parley[] = [];
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-hosts-'));
    database = await createTestDatabase();
    store = await startStore(path.join(directory, 'objects'));
    env = {
      DATABASE_URL: database.url,
      FILES_URL: store.url('all'),
      SECRET_KEY: 'a key of both hosts',
      BOOTSTRAP_TOKEN: token,
      SIP_PORT: '0',
    };
  });
  after(async () => {
    for (const host of hosts) host.signal('SIGTERM');
    await Promise.all(hosts.map((host) => host.ended));
    await store.stop();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });
  const startHost = async (name: string, more: Record<string, string> = {}): Promise<string> => {
    const host = startParley(path.join(directory, name), { ...env, ...more });
    hosts.push(host);
    return host.ready();
  };
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape, asserted where they are used
  const call = async (url: string, init: RequestInit = {}): Promise<any> => {
    const answer = await fetch(url, { ...init, headers: { authorization, ...init.headers } });
    assert.ok(answer.ok, `${url}: ${answer.status} ${await answer.clone().text()}`);
    return answer.json();
  };

  it('a file that is uploaded at one, and an export that one makes, are read at the other', async () => {
    const [one, other] = [await startHost('one', { ROLES: 'api,worker' }), await startHost('other', { ROLES: 'api' })];
    const form = new FormData();
    form.set('file', new Blob([png], { type: 'image/png' }), 'dot.png');
    const media = await call(`${one}/v2/chatapp/template-media/`, { method: 'POST', body: form });
    const content = await fetch(`${other}/v2/chatapp/template-media/${media.uuid}/content/`, {
      headers: { authorization },
    });
    assert.deepEqual([content.status, Buffer.from(await content.arrayBuffer())], [200, png]);

    const body = JSON.stringify({ type: 'contacts.export', input: {} });
    const headers = { 'content-type': 'application/json' };
    const job = await call(`${other}/v3/jobs/`, { method: 'POST', body, headers });
    await until('the export is made', async () => (await call(`${other}/v3/jobs/${job.id}/`)).status === 'SUCCEEDED');
    for (const host of [one, other]) {
      const file = await fetch(`${host}/v3/jobs/${job.id}/file/`, { headers: { authorization } });
      assert.equal(file.status, 200, host);
      assert.match(await file.text(), /phone_number/);
    }
  });

  it('parley files move › brings them to the disk and back, and counts them', async () => {
    const move = async (to: string) => {
      const main = path.join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'main.ts');
      const child = spawn(process.execPath, [main, 'files', 'move', '--to', to, '--json'], {
        cwd: directory,
        env: { PATH: process.env['PATH'], DATA_DIR: path.join(directory, 'moved'), FILES_URL: env['FILES_URL'] },
      });
      let [printed, complained] = ['', ''];
      child.stdout.on('data', (text) => {
        printed += text;
      });
      child.stderr.on('data', (text) => {
        complained += text;
      });
      const [code] = await once(child, 'close');
      assert.equal(code, 0, complained);
      return JSON.parse(printed);
    };
    const there = await move('disk');
    assert.deepEqual([there.moved, there.different], [2, []]);
    assert.deepEqual(await move('store'), there);
    assert.equal((await move('store')).moved, 0);
  });
});
