import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Content } from '../content/content.ts';
import type { ByteRange, FileName, Files, StoredFile } from './files.ts';
import { unlessMissing } from './on-disk.ts';
import {
  type FileKey,
  headerBytes,
  newFileKey,
  opened,
  plainSize,
  readFileKey,
  sealed,
  sealedRange,
} from './sealed-format.ts';

export interface SealedFiles extends Files {
  /** Encrypts or decrypts a file where it is, as the account wants it now. False: it is so already, or there is none. */
  bringAlong(name: FileName): Promise<boolean>;
}

/** Prompts are what callers of a business hear, whoever calls: they are played from the disk, and stay as they are. */
const plainFolders: ReadonlySet<string> = new Set(['audio', 'sounds']);

const accountOf = (name: FileName): string => name.split('/')[1]!;

/** Files as they are, but for accounts that encrypt content. Of other accounts nothing costs more than before. */
export function makeSealedFiles(files: Files, content: Content): SealedFiles {
  const wants = (name: FileName): boolean => content.isOn(accountOf(name)) && !plainFolders.has(name.split('/')[0]!);
  const mayBeSealed = (name: FileName): boolean => content.isKnown(accountOf(name));
  const keyIn = (header: Buffer, name: FileName) => readFileKey(content.keyOf, header, accountOf(name));

  /** Replaces a file on this machine by what becomes of its bytes. */
  const rewrite = async (path: string, become: (bytes: Readable) => AsyncIterable<Buffer>): Promise<void> => {
    const other = `${path}.other`;
    try {
      await pipeline(become(createReadStream(path)), createWriteStream(other, { mode: 0o600, flush: true }));
      await rename(other, path);
    } finally {
      await rm(other, { force: true });
    }
  };

  const readHeader = async (path: string): Promise<{ header: Buffer; size: number } | undefined> => {
    const file = await open(path).catch(unlessMissing);
    if (!file) return undefined;
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
      return { header: buffer.subarray(0, bytesRead), size: (await file.stat()).size };
    } finally {
      await file.close();
    }
  };

  const sealAt = async (path: string, name: FileName): Promise<void> => {
    const sealing = content.sealing(accountOf(name));
    if (!sealing) throw new Error('There is no data key to encrypt a file with.');
    await rewrite(path, (bytes) => sealed(newFileKey(sealing), bytes));
  };

  const openAt = async (path: string, key: FileKey, size: number): Promise<void> => {
    const plain = plainSize(size);
    await rewrite(path, (bytes) => opened(key, skipHeader(bytes), { start: 0, end: plain - 1, size: plain }));
  };

  const adopt = async (from: string, name: FileName): Promise<void> => {
    // A process that died may have encrypted it already.
    if (wants(name) && !keyIn((await readHeader(from))?.header ?? Buffer.alloc(0), name)) await sealAt(from, name);
    await files.adopt(from, name);
  };

  /** The first bytes and the size of a stored file. */
  const look = async (name: FileName): Promise<{ key: FileKey | undefined; size: number } | undefined> => {
    const file = await files.get(name, { start: 0, end: headerBytes - 1 });
    if (!file) return undefined;
    const header = Buffer.concat(await file.bytes.toArray());
    return { key: keyIn(header, name), size: file.size };
  };

  const get = async (name: FileName, range?: ByteRange): Promise<StoredFile | undefined> => {
    if (!mayBeSealed(name)) return files.get(name, range);
    for (let tries = 1; ; tries++) {
      const found = await look(name);
      if (!found) return undefined;
      const { key, size: storedSize } = found;
      const size = key ? plainSize(storedSize) : storedSize;
      const start = range?.start ?? 0;
      const end = Math.min(range?.end ?? size - 1, size - 1);
      const wanted = key ? sealedRange(start, Math.max(end, 0), storedSize) : range;
      const file = await files.get(name, wanted);
      // It may have been encrypted or decrypted between the two looks.
      if (file && file.size !== storedSize && tries < 3) {
        file.bytes.destroy();
        continue;
      }
      if (!key || !file) return file;
      const bytes = Readable.from(opened(key, file.bytes, { start, end, size }), { objectMode: false });
      return { bytes, size };
    }
  };

  return {
    ...files,
    adopt,
    get,
    async put(name, bytes, mostBytes) {
      const { path, ...received } = await files.receive(bytes, mostBytes);
      try {
        await adopt(path, name);
      } finally {
        await rm(path, { force: true });
      }
      return received;
    },
    async size(name) {
      if (!mayBeSealed(name)) return files.size(name);
      const found = await look(name);
      return found?.key ? plainSize(found.size) : found?.size;
    },
    async local(name) {
      const path = await files.local(name);
      const found = mayBeSealed(name) ? await readHeader(path) : undefined;
      const key = found && keyIn(found.header, name);
      if (!key) return path;
      const file = (await get(name))!;
      return (await files.receive(file.bytes, Number.MAX_SAFE_INTEGER)).path;
    },
    async release(name, path) {
      if (mayBeSealed(name) && path !== (await files.local(name))) await rm(path, { force: true });
      await files.release(name, path);
    },
    async draft(name) {
      const path = await files.draft(name);
      const found = mayBeSealed(name) ? await readHeader(path) : undefined;
      const key = found && keyIn(found.header, name);
      // Whoever writes drafts goes on with what was there.
      if (key) await openAt(path, key, found.size);
      return path;
    },
    async bringAlong(name) {
      const found = await look(name);
      if (!found || (found.key !== undefined) === wants(name)) return false;
      const file = await get(name);
      if (!file) return false;
      const { path } = await files.receive(file.bytes, Number.MAX_SAFE_INTEGER);
      try {
        await adopt(path, name);
      } finally {
        await rm(path, { force: true });
      }
      return true;
    },
  };
}

async function* skipHeader(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let left = headerBytes;
  for await (const chunk of bytes) {
    const rest = chunk.subarray(Math.min(left, chunk.length));
    left -= chunk.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}
