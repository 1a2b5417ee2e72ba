import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newId } from './ids.ts';

/**
 * Files of the product, under DATA_DIR. Bytes are received into a temporary file, which is moved to its place before the row
 * that names it commits: a row without its file does not come about, a file without its row is swept up later.
 */
export interface Files {
  /** Writes a temporary file as the bytes come, whatever its size; leaves nothing when they break off or are too many. */
  receive(bytes: AsyncIterable<Uint8Array>, mostBytes: number): Promise<ReceivedFile>;
  /** Moves a temporary file to its place; one that is there already is replaced. */
  adopt(temporaryPath: string, name: FileName): Promise<void>;
  /** The path for those who read files themselves. */
  path(name: FileName): string;
  /** undefined: there is no such file. */
  read(name: FileName): Promise<Readable | undefined>;
  delete(name: FileName): Promise<void>;
  /** All files of a folder that were last written before a moment. */
  olderThan(folder: string, moment: Date): AsyncIterable<FileName>;
  /** How large each file of a folder is. */
  sizes(folder: string): AsyncIterable<{ accountId: string; bytes: number }>;
  /** Removes temporary files that a crash left behind. */
  discardTemporary(before: Date): Promise<void>;
}

export interface ReceivedFile {
  path: string;
  size: number;
  /** In hex. */
  sha256: string;
}

/** `folder/account/file`: made of our own ids, so that no name leads out of the folder. */
export type FileName = `${string}/${string}/${string}`;

const safeName = /^[a-z-]+\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/;

export class FileTooLarge extends Error {
  override name = 'FileTooLarge';
}

export function makeFiles(dataDir: string): Files {
  const temporary = join(dataDir, 'tmp');
  const path = (name: FileName): string => {
    if (!safeName.test(name)) throw new Error(`"${name}" is not the name of a file.`);
    return join(dataDir, name);
  };
  return {
    path,
    async receive(bytes, mostBytes) {
      await mkdir(temporary, { recursive: true });
      return receiveAt(join(temporary, newId()), bytes, mostBytes);
    },
    async adopt(temporaryPath, name) {
      const target = path(name);
      await mkdir(dirname(target), { recursive: true });
      await rename(temporaryPath, target);
    },
    async read(name) {
      const file = await open(path(name)).catch(unlessMissing);
      return file?.createReadStream();
    },
    delete: (name) => rm(path(name), { force: true }),
    async *olderThan(folder, moment) {
      for await (const account of entriesOf(join(dataDir, folder))) {
        for await (const file of entriesOf(join(dataDir, folder, account))) {
          const name: FileName = `${folder}/${account}/${file}`;
          if (safeName.test(name) && (await isOlder(path(name), moment))) yield name;
        }
      }
    },
    async *sizes(folder) {
      for await (const accountId of entriesOf(join(dataDir, folder))) {
        for await (const file of entriesOf(join(dataDir, folder, accountId))) {
          const name: FileName = `${folder}/${accountId}/${file}`;
          const found = safeName.test(name) ? await stat(path(name)).catch(unlessMissing) : undefined;
          if (found?.isFile()) yield { accountId, bytes: found.size };
        }
      }
    },
    async discardTemporary(before) {
      for await (const file of entriesOf(temporary)) {
        const old = join(temporary, file);
        if (await isOlder(old, before)) await rm(old, { force: true });
      }
    },
  };
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

async function* entriesOf(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch(unlessMissing);
  if (entries) for await (const entry of entries) yield entry.name;
}

async function isOlder(path: string, moment: Date): Promise<boolean> {
  const found = await stat(path).catch(unlessMissing);
  return found?.isFile() === true && found.mtime < moment;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
