// Existing content is encrypted by a real process, with its files in an S3 server, that is killed half-way, and whose ring changes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { databaseUrl } from '../../kit/database.ts';
import { missingStore, startStore, type TestStore } from '../../kit/files/store.ts';
import { type Program, programToken, startProgram } from '../../kit/program/program.ts';
import { until } from '../../kit/until.ts';

const cli = path.join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'main.ts');
const old = 'the-old-key-long-and-random';
const fresh = 'the-new-key-as-long-and-random';
const canary = 'canary-juliet-4417';
const texts = 1200;
const uploads = 12;
/** More than one chunk of an encrypted file. */
const fileBytes = 150_000;

describe('A pass that encrypts existing content', { skip: missingStore, timeout: 1_800_000 }, () => {
  let directory: string;
  let store: TestStore;
  let program: Program;
  const files: string[] = [];
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-encrypted-'));
    store = await startStore(path.join(directory, 'objects'));
    program = await startProgram({ SECRET_KEY: '', SECRET_KEYS: old, FILES_URL: store.url('all') });
    const messages = Array.from({ length: texts }, (_, index) => ({
      ...{ from: 'Parley', to: `+44770090${1000 + (index % 900)}`, text: `${canary} number ${index}` },
    }));
    for (let start = 0; start < texts; start += 600) {
      const sent = await program.call('POST', '/v2/send-sms/multiple/', {
        messages: messages.slice(start, start + 600),
      });
      assert.equal(sent.status, 201, JSON.stringify(sent.body).slice(0, 300));
    }
    for (let index = 0; index < uploads; index++) {
      const form = new FormData();
      form.set('file', new Blob([content(index)], { type: 'application/pdf' }), `offer-${index}.pdf`);
      const { status, body } = await program.call('POST', '/v2/chatapp/template-media/', form);
      assert.equal(status, 201, JSON.stringify(body));
      files.push(body.uuid);
    }
  });
  after(async () => {
    await program?.stop();
    await store?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const content = (index: number): string =>
    `%PDF-1.4\n% ${canary} file ${index}\n`.padEnd(fileBytes, `${index} `) + '\n%%EOF\n';
  const countSealed = async (): Promise<{ sealed: number; clear: number }> =>
    (
      await program.query(`select count(*) filter (where left(text, 4) = E'\\x01c1:')::int as sealed,
        count(*) filter (where text like '${canary}%')::int as clear from sms`)
    )[0];
  const assertAllReadable = async (): Promise<void> => {
    const found = new Set<string>();
    for (let page = '/v2/sms-records/?page_size=200'; page; ) {
      const { status, body } = await program.call('GET', page);
      assert.equal(status, 200, JSON.stringify(body));
      for (const { text } of body.results) found.add(text);
      page = body.next && new URL(body.next).pathname + new URL(body.next).search;
    }
    const wanted = Array.from({ length: texts }, (_, index) => `${canary} number ${index}`);
    assert.deepEqual(
      wanted.filter((text) => !found.has(text)),
      [],
    );
    for (const [index, uuid] of files.entries()) {
      const url = `/v2/chatapp/template-media/${uuid}/content/`;
      const whole = await program.call('GET', url);
      assert.deepEqual([whole.status, whole.body === content(index)], [200, true], `file ${index}`);
      // Across the end of a chunk.
      const headers = { authorization: `Token ${programToken}`, range: 'bytes=65530-65550' };
      const part = await fetch(new URL(url, await program.parley.ready()), { headers });
      assert.deepEqual([part.status, await part.text()], [206, content(index).slice(65_530, 65_551)]);
    }
  };
  const stored = async (): Promise<{ sealed: number; clear: number }> => {
    const entries = await readdir(path.join(directory, 'objects'), { recursive: true, withFileTypes: true });
    const objects = entries.filter((entry) => entry.isFile() && entry.name.includes('_object'));
    const counts = { sealed: 0, clear: 0 };
    for (const { parentPath, name } of objects) {
      const bytes = await readFile(path.join(parentPath, name));
      if (bytes.subarray(0, 8).toString() === 'PARLEYF1') counts.sealed++;
      if (bytes.includes(canary)) counts.clear++;
    }
    return counts;
  };
  const progress = async () => (await program.call('GET', '/v2/account/')).body.content_encryption;
  const rotate = async (keys: string): Promise<void> => {
    const child = spawn(process.execPath, [cli, 'secrets', 'rotate'], {
      env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl(program.connection), SECRET_KEYS: keys },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const said = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.equal(await ended, 0, said.join(''));
  };

  it('killed in the middle leaves everything readable', async () => {
    // Slow enough to be met in the middle.
    await program.query(`
      create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.01); return new; end';
      create trigger slow before update of text on sms for each row execute function slow()`);
    assert.equal((await program.call('PATCH', '/v2/account/', { encrypt_content: true })).status, 200);
    await until('some are encrypted, and not all', async () => {
      const { sealed, clear } = await countSealed();
      return sealed > 0 && clear > 0;
    });
    program.parley.signal('SIGKILL');
    assert.equal(await program.parley.ended, null);
    const { sealed, clear } = await countSealed();
    assert.ok(sealed > 0 && clear > 0, JSON.stringify({ sealed, clear }));
    await program.query('drop trigger slow on sms');
    await program.restart({ SECRET_KEYS: `${fresh},${old}` });
    const { status, remaining } = await progress();
    assert.equal(status, 'ENCRYPTING');
    assert.ok(remaining > 0);
    await assertAllReadable();
  });

  it('is gone on with by the next process, while the ring is rotated, to its end', async () => {
    await rotate(`${fresh},${old}`);
    await assertAllReadable();
    // As if nobody had gone on with it for two minutes.
    await program.query(`update content_passes set noted = noted - interval '3 minutes'`);
    await until(
      'everything is encrypted',
      progress,
      ({ status, remaining }) => status === 'ENCRYPTED' && remaining === 0,
      300_000,
    );
    assert.deepEqual(await countSealed(), { sealed: texts, clear: 0 });
    assert.deepEqual(await stored(), { sealed: uploads, clear: 0 });
    await assertAllReadable();
  });

  it('has what it encrypted read with the new ring alone, and refused without it', async () => {
    await assert.rejects(program.restart({ SECRET_KEYS: old }), /ended before it was ready/);
    assert.match(program.parley.output(), /Missing is the key with the id/);
    await program.restart({ SECRET_KEYS: fresh });
    await assertAllReadable();
  });
});
