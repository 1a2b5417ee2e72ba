import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { bytes, newName, testFiles } from '../../../../test/kit/files/file-guarantees.ts';
import { missingStore, startStore, type TestStore } from '../../../../test/kit/files/store.ts';
import { until } from '../../../../test/kit/until.ts';
import { makeLog } from '../../log.ts';
import { FileStoreError } from '../files.ts';
import { makeFilesInStore } from '../in-store.ts';
import { openFiles } from '../open.ts';
import { readStoreAddress } from '../s3/address.ts';
import { openStore } from '../s3/client.ts';
import { usualPatience } from '../s3/request.ts';

const log = makeLog({ level: 'silent', pretty: false });

describe('Files in an S3 server', { skip: missingStore, timeout: 1_800_000 }, () => {
  let directory: string;
  let server: TestStore;
  const host = (name: string, url = server.url('a/b')) => {
    const store = openStore(readStoreAddress(url, {}), { ...usualPatience, pausesMs: [10] });
    const dataDir = path.join(directory, name);
    return { store, directory: dataDir, files: makeFilesInStore(store, { dataDir, mostCopiedBytes: 10 }) };
  };
  let first: ReturnType<typeof host>;
  let second: ReturnType<typeof host>;
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-store-'));
    server = await startStore(path.join(directory, 'objects'));
    first = host('first');
    second = host('second');
  });
  after(async () => {
    for (const { store } of [first, second]) await store.close();
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  testFiles(() => first);

  it('what one host stores another reads, opens, and deletes', async () => {
    const name = newName();
    await first.files.put(name, bytes('from the first'), 100);
    const stored = await second.files.get(name);
    assert.equal(Buffer.concat(await stored!.bytes.toArray()).toString(), 'from the first');
    assert.equal(await readFile(await second.files.local(name), 'utf8'), 'from the first');
    await second.files.delete(name);
    assert.equal(await first.files.size(name), undefined);
  });

  it('a listing has as many pages as it takes', async () => {
    const names = Array.from({ length: 1_005 }, newName);
    const account = '00000000-0000-4000-8000-000000000000';
    const own = names.map((name) => `media/${account}/${name.split('/')[2]}` as const);
    for (const name of own) await first.files.put(name, bytes('x'), 1);
    let found = 0;
    for await (const file of first.files.list('media')) if (file.accountId === account) found++;
    assert.equal(found, own.length);
    assert.equal(await first.files.deleteOf(account), own.length);
  });

  it('a draft that is adopted while the store is away waits on this host, can be read there, and leaves when it is back', async () => {
    const name = newName();
    const kept = newName();
    await first.files.put(kept, bytes('kept'), 4);
    const copy = await first.files.local(kept);
    const { port } = server;
    await server.stop();
    await writeFile(await first.files.draft(name), 'recorded');
    await first.files.adopt(await first.files.draft(name), name);
    assert.equal(await first.files.size(name), 8);
    assert.equal(await readFile(await first.files.local(name), 'utf8'), 'recorded');
    assert.equal((await (await first.files.get(name))!.bytes.toArray()).join(''), 'recorded');
    assert.equal(await first.files.sendWaiting(), 1);
    // What was opened before can be opened still, and what was not cannot.
    assert.equal(await first.files.local(kept), copy);
    await assert.rejects(second.files.local(kept), FileStoreError);
    await assert.rejects(first.files.put(newName(), bytes('x'), 1), FileStoreError);
    server = await startStore(path.join(directory, 'objects'), port);
    assert.equal(await first.files.sendWaiting(), 0);
    assert.equal((await (await second.files.get(name))!.bytes.toArray()).join(''), 'recorded');
  });

  it('a store that refuses the keys, or has no such bucket, ends the start; one that is away does not', async () => {
    const open = (url: string) => openFiles({ dataDir: directory, store: readStoreAddress(url, {}) }, log);
    const wrongKeys = server.url('x').replace('S3RVER:S3RVER@', 'nobody:hush-hush@');
    const refused = async (url: string) => (await open(url)).stop();
    await assert.rejects(refused(wrongKeys), (error: Error) => {
      assert.match(error.message, /^FILES_URL: The file store: It answered 403 InvalidAccessKeyId/);
      assert.ok(!error.message.includes('hush'));
      return true;
    });
    await assert.rejects(refused(server.url('x').replace('@parley', '@nobodys')), /no such bucket/i);
    const { port } = server;
    await server.stop();
    const opened = await open(`s3://S3RVER:S3RVER@parley/x?endpoint=http://127.0.0.1:${port}`);
    try {
      assert.match(opened.problem() ?? '', /The file store: The connection was refused/);
      server = await startStore(path.join(directory, 'objects'), port);
      await until('the store is found again', () => opened.problem() === null);
    } finally {
      await opened.stop();
    }
  });
});
