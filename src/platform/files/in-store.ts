import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeCopies } from './copies.ts';
import { type FileName, FileStoreError, type Files, fileFolders, type ReceivedFile } from './files.ts';
import { digest, entriesOf, isFileName, isOlder, pathIn, receiveIn, unlessMissing } from './on-disk.ts';
import type { ObjectStore } from './s3/client.ts';

export interface FilesInStore extends Files {
  /** Hands over drafts that were adopted while the store was away. Answers how many still wait. */
  sendWaiting(): Promise<number>;
}

export interface InStoreOptions {
  /** On this machine: what is on its way to the store, and copies of what is there. */
  dataDir: string;
  /** Of these copies; more only while they are in use. */
  mostCopiedBytes?: number;
}

/** A store takes no larger object in one piece. */
const mostObjectBytes = 5 * 1024 ** 3;

/** Files in a store of objects. On this machine there are drafts, which wait there while the store is away, and copies. */
export function makeFilesInStore(
  store: ObjectStore,
  { dataDir, mostCopiedBytes = 1024 ** 3 }: InStoreOptions,
): FilesInStore {
  const temporary = join(dataDir, 'tmp');
  const drafts = join(dataDir, 'drafts');
  const waiting = join(dataDir, 'waiting-for-store');
  const copies = makeCopies(store, { directory: join(dataDir, 'copies'), mostBytes: mostCopiedBytes });

  const receive = (bytes: AsyncIterable<Uint8Array>, mostBytes: number): Promise<ReceivedFile> =>
    receiveIn(temporary, bytes, Math.min(mostBytes, mostObjectBytes));

  const upload = async (path: string, name: FileName): Promise<void> => {
    await store.put(name, { path, ...(await digest(path)) });
    await rm(path, { force: true });
  };

  const adopt = async (from: string, name: FileName): Promise<void> => {
    const waits = pathIn(waiting, name);
    try {
      await upload(from, name);
      // An older one of that name is not wanted any more.
      await rm(waits, { force: true });
    } catch (error) {
      // What somebody uploads he can upload again. A recording is there once.
      if (!(error instanceof FileStoreError) || from !== pathIn(drafts, name)) throw error;
      await mkdir(dirname(waits), { recursive: true });
      await rename(from, waits);
    }
  };

  /** Of one that is still on this machine alone. */
  const waitingSize = async (name: FileName): Promise<number | undefined> =>
    (await stat(pathIn(waiting, name)).catch(unlessMissing))?.size;

  return {
    mayArrive: true,
    receive,
    adopt,
    async put(name, bytes, mostBytes) {
      const { path, ...received } = await receive(bytes, mostBytes);
      try {
        await adopt(path, name);
      } finally {
        await rm(path, { force: true });
      }
      return received;
    },
    async get(name, range) {
      const file = await open(pathIn(waiting, name)).catch(unlessMissing);
      if (!file) return store.get(name, range);
      const { size } = await file.stat();
      return { bytes: file.createReadStream(range), size };
    },
    async size(name) {
      return (await waitingSize(name)) ?? (await store.head(name))?.size;
    },
    async delete(name) {
      for (const place of [drafts, waiting]) await rm(pathIn(place, name), { force: true });
      await copies.forget(name);
      await store.delete(name);
    },
    async deleteOf(accountId) {
      let deleted = 0;
      if (!isFileName(`media/${accountId}/${accountId}`)) return deleted;
      for (const place of [drafts, waiting]) {
        for await (const folder of entriesOf(place)) {
          await rm(join(place, folder, accountId), { recursive: true, force: true });
        }
      }
      for (const folder of fileFolders) {
        for await (const { key } of store.list(`${folder}/${accountId}/`)) {
          await store.delete(key);
          if (isFileName(key)) await copies.forget(key);
          deleted++;
        }
      }
      return deleted;
    },
    async *list(folder) {
      for await (const { key: name, size, modified } of store.list(`${folder}/`)) {
        if (!isFileName(name)) continue;
        const [, accountId = '', uuid = ''] = name.split('/');
        yield { name, accountId, uuid, size, modified };
      }
    },
    async local(name) {
      return (await waitingSize(name)) === undefined ? copies.pathOf(name) : pathIn(waiting, name);
    },
    // Copies are kept for the next one who asks.
    async release() {},
    async draft(name) {
      const path = pathIn(drafts, name);
      await mkdir(dirname(path), { recursive: true });
      return path;
    },
    async *drafts(folder) {
      for await (const name of namesIn(drafts)) if (name.startsWith(`${folder}/`)) yield name;
    },
    async discardTemporary(before) {
      for await (const file of entriesOf(temporary)) {
        if (await isOlder(join(temporary, file), before)) await rm(join(temporary, file), { force: true });
      }
      for await (const name of namesIn(drafts)) {
        const path = pathIn(drafts, name);
        if (await isOlder(path, before)) await rm(path, { force: true });
      }
      await copies.discard(before);
    },
    async sendWaiting() {
      let left = 0;
      for await (const name of namesIn(waiting)) {
        const path = pathIn(waiting, name);
        await upload(path, name).catch((error) => {
          // Another process of this machine was faster.
          if (error.code === 'ENOENT') return;
          if (!(error instanceof FileStoreError)) throw error;
          left++;
        });
        if (left > 0) break;
      }
      return left;
    },
  };
}

async function* namesIn(place: string): AsyncIterable<FileName> {
  for await (const folder of entriesOf(place)) {
    for await (const accountId of entriesOf(join(place, folder))) {
      for await (const uuid of entriesOf(join(place, folder, accountId))) {
        const name: FileName = `${folder}/${accountId}/${uuid}`;
        if (isFileName(name)) yield name;
      }
    }
  }
}
