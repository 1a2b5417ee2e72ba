import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { bytes, newName } from '../../../../test/kit/files/file-guarantees.ts';
import { missingStore, startStore, type TestStore } from '../../../../test/kit/files/store.ts';
import { makeFilesInStore } from '../../files/in-store.ts';
import { readStoreAddress } from '../../files/s3/address.ts';
import { type ObjectStore, openStore } from '../../files/s3/client.ts';
import { type Description, formatNumber, storeListName } from '../contents.ts';
import { readBackup } from '../read.ts';
import { addFiles, addStoreList, addUnsent, findMissing } from '../sources.ts';
import { type BackupWriter, openBackup } from '../write.ts';

const description: Description = {
  product: 'parley',
  format: formatNumber,
  version: '0.0.0',
  created: '2026-01-01T00:00:00.000Z',
  database: { kind: 'dump', postgres: 18, migration: 1 },
  platform: 'any',
  files: 'listed',
  has_secret_key: false,
};

describe('A backup of files in an S3 server', { skip: missingStore, timeout: 1_800_000 }, () => {
  let directory: string;
  let server: TestStore;
  let store: ObjectStore;
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-backup-store-'));
    server = await startStore(path.join(directory, 'objects'));
    store = openStore(readStoreAddress(server.url('a'), {}));
  });
  after(async () => {
    await store.close();
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** What a backup holds after that was done, by name. */
  async function contentsOf(name: string, fill: (writer: BackupWriter) => Promise<void>): Promise<Map<string, string>> {
    const file = path.join(directory, name);
    const writer = await openBackup(file, description);
    await fill(writer);
    await writer.finish();
    const found = new Map<string, string>();
    await readBackup(file, {
      begin: async () => {},
      directory: async () => {},
      file: async (entry, content) => void found.set(entry, await text(content)),
    });
    return found;
  }

  it('lists them, or copies them, and has what waits for the store on this disk', async () => {
    const dataDir = path.join(directory, 'data');
    const files = makeFilesInStore(store, { dataDir });
    const [kept, lost, waiting] = [newName(), newName(), newName()];
    await files.put(kept, bytes('kept'), 100);
    await files.put(lost, bytes('lost'), 100);
    await mkdir(path.join(dataDir, 'waiting-for-store', path.dirname(waiting)), { recursive: true });
    await writeFile(path.join(dataDir, 'waiting-for-store', waiting), 'waits');

    const listed = await contentsOf('listed', async (writer) => {
      assert.equal(await addUnsent(writer, dataDir), 1);
      assert.equal(await addStoreList(writer, files, path.join(directory, 'draft')), 2);
    });
    assert.equal(listed.get(`waiting-for-store/${waiting}`), 'waits');
    const list = path.join(directory, 'list');
    await writeFile(list, listed.get(storeListName)!);
    await files.delete(lost);
    assert.deepEqual(await Array.fromAsync(findMissing(list, files)), [lost]);

    const copied = await contentsOf('copied', async (writer) => {
      assert.equal(await addFiles(writer, files), 1);
    });
    assert.deepEqual([...copied], [[kept, 'kept']]);
  });
});
