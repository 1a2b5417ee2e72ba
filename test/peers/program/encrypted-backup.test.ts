// A backup of a server whose key is the operator's: what is in it of what people said, and who can read it elsewhere.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { killTree, type Parley, startParley } from '../../kit/program/parley-process.ts';
import { until } from '../../kit/until.ts';

const main = path.join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'main.ts');
const token = 'a-token-for-encrypted-backups';
const key = 'the-key-of-the-operator-long-and-random';
const canary = 'canary-kilo-9052';
const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc', timeout: 1_800_000 };

describe('A backup of encrypted content', linuxOnly, () => {
  let directory: string;
  const started: [Parley, string][] = [];
  const inDirectory = (name: string) => path.join(directory, name);
  const start = (name: string, SECRET_KEYS: string): Parley => {
    const parley = startParley(inDirectory(name), { BOOTSTRAP_TOKEN: token, SIP_PORT: '0', SECRET_KEYS });
    started.push([parley, inDirectory(name)]);
    return parley;
  };
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-encrypted-backup-'));
  });
  after(async () => {
    for (const [parley, place] of started) await killTree(parley.pid, place);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  const command = async (...args: string[]): Promise<void> => {
    const child = spawn(process.execPath, [main, ...args], {
      cwd: directory,
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: inDirectory('data'), SECRET_KEYS: key },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const code = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.equal(await code, 0, `${out}${err}`);
  };
  const call = async (server: Parley, method: string, url: string, body?: unknown) => {
    const isForm = body instanceof FormData;
    const answer = await fetch(new URL(url, await server.ready()), {
      method,
      headers: {
        authorization: `Token ${token}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const content = await answer.text();
    assert.ok(answer.ok, `${url}: ${answer.status} ${content}`);
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape, asserted where they are used
    return { content, body: (content.startsWith('{') ? JSON.parse(content) : undefined) as any };
  };

  it('has nothing of it in clear, is refused with another key, and readable elsewhere with the right one', async () => {
    const parley = start('data', key);
    await call(parley, 'PATCH', '/v2/account/', { encrypt_content: true });
    await until(
      'everything is encrypted',
      async () => (await call(parley, 'GET', '/v2/account/')).body.content_encryption.status,
      (status) => status === 'ENCRYPTED',
      300_000,
    );
    const sms = { from: 'Parley', to: '+447700900123', text: `A text with ${canary}` };
    const { uuid } = (await call(parley, 'POST', '/v2/send-sms/', sms)).body;
    const form = new FormData();
    const pdf = `%PDF-1.4\n% ${canary}\n`.padEnd(100_000, 'x');
    form.set('file', new Blob([pdf], { type: 'application/pdf' }), 'offer.pdf');
    const media = (await call(parley, 'POST', '/v2/chatapp/template-media/', form)).body;
    await command('backup', 'all.tar.zst');
    parley.signal('SIGTERM');
    await parley.ended;

    const tar = zstdDecompressSync(await readFile(inDirectory('all.tar.zst')));
    assert.ok(tar.includes('PARLEYF1'), 'the file is in it');
    for (const secret of [canary, key]) assert.ok(!tar.includes(secret), secret);
    await command('restore', 'all.tar.zst', '--data-dir', inDirectory('restored'));
    const wrong = start('restored', 'another-key-that-is-long-and-random');
    await assert.rejects(wrong.ready(), /Missing is the key with the id/);
    const right = start('restored', key);
    assert.equal((await call(right, 'GET', `/v2/send-sms/${uuid}/`)).body.text, sms.text);
    assert.equal((await call(right, 'GET', `/v2/chatapp/template-media/${media.uuid}/content/`)).content, pdf);
    assert.equal((await call(right, 'GET', '/v2/account/')).body.content_encryption.status, 'ENCRYPTED');
  });
});
