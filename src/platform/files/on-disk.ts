import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileName, Files, ReceivedFile } from './files.ts';
import { entriesOf, isFileName, isOlder, pathIn, receiveIn, unlessMissing } from './local.ts';

/** Files under DATA_DIR. */
export function makeFilesOnDisk(dataDir: string): Files {
  const temporary = join(dataDir, 'tmp');
  const path = (name: FileName): string => pathIn(dataDir, name);
  const receive = (bytes: AsyncIterable<Uint8Array>, mostBytes: number): Promise<ReceivedFile> =>
    receiveIn(temporary, bytes, mostBytes);
  const adopt = async (from: string, name: FileName): Promise<void> => {
    const target = path(name);
    await mkdir(dirname(target), { recursive: true });
    await rename(from, target);
  };
  return {
    receive,
    adopt,
    async put(name, bytes, mostBytes) {
      const { path, ...received } = await receive(bytes, mostBytes);
      await adopt(path, name);
      return received;
    },
    async get(name, range) {
      const file = await open(path(name)).catch(unlessMissing);
      if (!file) return undefined;
      try {
        const { size } = await file.stat();
        return { bytes: file.createReadStream(range), size };
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    async size(name) {
      return (await stat(path(name)).catch(unlessMissing))?.size;
    },
    async delete(name) {
      await rm(path(name), { force: true });
    },
    async deleteOf(accountId) {
      let deleted = 0;
      for await (const folder of entriesOf(dataDir)) {
        if (!isFileName(`${folder}/${accountId}/${accountId}`)) continue;
        const own = join(dataDir, folder, accountId);
        for await (const file of entriesOf(own)) {
          await rm(join(own, file), { recursive: true, force: true });
          deleted++;
        }
        await rm(own, { recursive: true, force: true });
      }
      return deleted;
    },
    async *list(folder) {
      for await (const accountId of entriesOf(join(dataDir, folder))) {
        for await (const uuid of entriesOf(join(dataDir, folder, accountId))) {
          const name: FileName = `${folder}/${accountId}/${uuid}`;
          const found = isFileName(name) ? await stat(path(name)).catch(unlessMissing) : undefined;
          if (found?.isFile()) yield { name, accountId, uuid, size: found.size, modified: found.mtime };
        }
      }
    },
    local: async (name) => path(name),
    async release() {},
    // A file that grows in its place: `adopt` has nothing to move.
    async draft(name) {
      const target = path(name);
      await mkdir(dirname(target), { recursive: true });
      return target;
    },
    // Nothing tells a draft from a file.
    async *drafts() {},
    async discardTemporary(before) {
      for await (const file of entriesOf(temporary)) {
        const old = join(temporary, file);
        if (await isOlder(old, before)) await rm(old, { force: true });
      }
    },
  };
}
