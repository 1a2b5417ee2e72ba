import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { newId } from '../ids.ts';
import { type FileName, type Files, FileTooLarge, type ReceivedFile } from './files.ts';

const safeName = /^[a-z-]+\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/;

export const isFileName = (name: string): name is FileName => safeName.test(name);

/** The path of a file in a directory. Throws where the name could lead out of it. */
export function pathIn(directory: string, name: FileName): string {
  if (!isFileName(name)) throw new Error(`"${name}" is not the name of a file.`);
  return join(directory, name);
}

/** Writes bytes to a new file of a directory, which is made if need be. */
export async function receiveIn(
  directory: string,
  bytes: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<ReceivedFile> {
  await mkdir(directory, { recursive: true });
  return receiveAt(join(directory, newId()), bytes, mostBytes);
}

async function receiveAt(path: string, bytes: AsyncIterable<Uint8Array>, mostBytes: number): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  let size = 0;
  const counted = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > mostBytes) throw new FileTooLarge('The file is too large.');
      hash.update(chunk);
      yield chunk;
    }
  };
  // `flush`: on the disk before anybody is told that we have it.
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const closed = new Promise<void>((resolve) => file.once('close', resolve));
  try {
    await pipeline(bytes, counted, file);
    return { path, size, sha256: hash.digest('hex') };
  } catch (error) {
    // One that was still being opened would otherwise appear after it was removed.
    await closed;
    await rm(path, { force: true });
    throw error;
  }
}

/** The names in a folder; none when there is no such folder. */
export async function* entriesOf(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch(unlessMissing);
  if (entries) for await (const entry of entries) yield entry.name;
}

/** Whether it is a file that was last written before then. */
export async function isOlder(path: string, moment: Date): Promise<boolean> {
  const found = await stat(path).catch(unlessMissing);
  return found?.isFile() === true && found.mtime < moment;
}

export function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

/** What a file on this machine contains. */
export async function digest(path: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path)) {
    size += chunk.length;
    hash.update(chunk);
  }
  return { size, sha256: hash.digest('hex') };
}

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
    mayArrive: false,
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
