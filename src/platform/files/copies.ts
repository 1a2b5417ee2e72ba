import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { newId } from '../ids.ts';
import { type FileName, FileStoreError } from './files.ts';
import { digest, entriesOf, unlessMissing } from './on-disk.ts';
import type { ObjectStore } from './s3/client.ts';

/** Copies of objects on this machine, for those who must open files themselves. The longest unused go when there are too many. */
export interface Copies {
  /** The path of a copy of what the store has now. Where the store is away, of what it had when it was last asked. */
  pathOf(name: FileName): Promise<string>;
  forget(name: FileName): Promise<void>;
  /** Removes those that nobody asked for since then. */
  discard(before: Date): Promise<void>;
}

export interface CopiesOptions {
  directory: string;
  mostBytes: number;
}

/** Somebody was given its path, and may be about to open it. */
const inUseMs = 600_000;

export function makeCopies(store: ObjectStore, { directory, mostBytes }: CopiesOptions): Copies {
  /** Two that want the same copy wait for the same one. */
  const underWay = new Map<FileName, Promise<string>>();
  /** A folder for each name, with a copy for each content. */
  const folderOf = (name: FileName): string => join(directory, name.replaceAll('/', '_'));

  async function fetch(name: FileName): Promise<string> {
    const folder = folderOf(name);
    const pathOf = (etag: string): string => join(folder, createHash('sha256').update(etag).digest('hex'));
    const head = await store.head(name);
    if (head && (await isUsable(pathOf(head.etag), head.size))) return pathOf(head.etag);
    const object = head && (await store.get(name));
    if (!object) return join(folder, 'missing');
    await mkdir(folder, { recursive: true });
    const temporary = join(folder, `.${newId()}`);
    try {
      await pipeline(object.bytes, (await open(temporary, 'wx', 0o600)).createWriteStream());
      const got = await digest(temporary);
      if (got.size !== object.size || (object.sha256 !== undefined && got.sha256 !== object.sha256)) {
        throw new FileStoreError('A file came with other bytes than it was stored with.', { isPassing: true });
      }
      await rename(temporary, pathOf(object.etag));
    } finally {
      object.bytes.destroy();
      await rm(temporary, { force: true });
    }
    await makeRoom();
    return pathOf(object.etag);
  }

  /** Of these names, or of all; the longest unused first. */
  async function list(names?: Iterable<string>): Promise<{ path: string; size: number; usedMs: number }[]> {
    const found = [];
    for await (const name of names ?? entriesOf(directory)) {
      for await (const entry of entriesOf(join(directory, name))) {
        const path = join(directory, name, entry);
        const file = await stat(path).catch(unlessMissing);
        if (file) found.push({ path, size: file.size, usedMs: file.mtimeMs });
      }
    }
    return found.sort((a, b) => a.usedMs - b.usedMs);
  }

  async function makeRoom(): Promise<void> {
    const copies = await list();
    let bytes = copies.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size, usedMs } of copies) {
      if (bytes <= mostBytes || Date.now() - usedMs < inUseMs) return;
      await rm(path, { force: true });
      bytes -= size;
    }
  }

  return {
    async pathOf(name) {
      const fetching = underWay.get(name) ?? fetch(name).finally(() => underWay.delete(name));
      underWay.set(name, fetching);
      try {
        return await fetching;
      } catch (error) {
        if (!(error instanceof FileStoreError)) throw error;
        const kept = (await list([name.replaceAll('/', '_')])).findLast(({ path }) => !basename(path).startsWith('.'));
        if (!kept) throw error;
        return kept.path;
      }
    },
    async forget(name) {
      await rm(folderOf(name), { recursive: true, force: true });
    },
    async discard(before) {
      for (const { path, usedMs } of await list()) if (usedMs < before.getTime()) await rm(path, { force: true });
      for await (const name of entriesOf(directory)) {
        // Fails for those that hold something.
        await rmdir(join(directory, name)).catch(() => {});
      }
    },
  };
}

/** Marks it as used. */
async function isUsable(path: string, size: number): Promise<boolean> {
  const found = await stat(path).catch(unlessMissing);
  if (found?.size !== size) return false;
  const now = Date.now() / 1000;
  return utimes(path, now, now).then(
    () => true,
    () => false,
  );
}
