import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { pack } from 'tar-stream';
import { checksumsName, type Description, descriptionName } from './contents.ts';

export interface BackupWriter {
  addDirectory(name: string): Promise<void>;
  add(name: string, size: number, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  addText(name: string, text: string): Promise<void>;
  /** A file as large as it is now; one that grows is cut there. False: there is none. */
  addFile(name: string, path: string): Promise<boolean>;
  /** Entries and bytes so far, before compression. */
  soFar(): { entries: number; bytes: number };
  /** Adds the checksums, and waits until all is on the disk. */
  finish(): Promise<void>;
  /** Leaves nothing behind. */
  abandon(): Promise<void>;
}

/** Begins a backup in a new file that only its owner can read. */
export async function openBackup(file: string, description: Description): Promise<BackupWriter> {
  const archive = pack();
  const list = await open(`${file}.checksums`, 'wx+', 0o600);
  const checksummed = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  const written = pipeline(archive, checksummed, target);
  // Whoever adds something learns of it there; nobody else waits for this one before the end.
  let failure: unknown;
  written.catch((error: unknown) => {
    failure = error;
  });
  let entries = 0;
  let bytes = 0;

  async function write(name: string, size: number, source: AsyncIterable<Uint8Array>): Promise<string> {
    const sum = createHash('sha256');
    const entry = archive.entry({ name, size, mode: 0o600 });
    const failed = written.then(() => Promise.reject(new Error('The archive ended early.')));
    failed.catch(() => {});
    let left = size;
    for await (const chunk of source) {
      if (failure) throw failure;
      const part = chunk.length > left ? chunk.subarray(0, left) : chunk;
      left -= part.length;
      bytes += part.length;
      sum.update(part);
      if (part.length > 0 && !entry.write(Buffer.from(part))) await Promise.race([once(entry, 'drain'), failed]);
      if (left === 0) break;
    }
    if (left > 0) throw new Error(`${name} became shorter while it was read.`);
    const closed = once(entry, 'close');
    entry.end();
    await Promise.race([closed, failed]);
    entries++;
    return sum.digest('hex');
  }

  const add = async (name: string, size: number, source: AsyncIterable<Uint8Array>): Promise<void> => {
    await list.write(`${await write(name, size, source)}  ${name}\n`);
  };
  const addText = (name: string, text: string): Promise<void> => {
    const content = Buffer.from(text);
    return add(name, content.length, oneChunk(content));
  };
  const forget = async (): Promise<void> => {
    await list.close().catch(() => {});
    await rm(`${file}.checksums`, { force: true });
  };

  try {
    await addText(descriptionName, `${JSON.stringify(description, null, 2)}\n`);
  } catch (error) {
    await forget();
    throw error;
  }
  return {
    add,
    addText,
    async addDirectory(name) {
      archive.entry({ name: `${name}/`, type: 'directory', mode: 0o700 });
    },
    async addFile(name, path) {
      const source = await open(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
      if (!source) return false;
      try {
        const { size } = await source.stat();
        await add(name, size, source.createReadStream({ autoClose: false }));
        return true;
      } finally {
        await source.close();
      }
    },
    soFar: () => ({ entries, bytes }),
    async finish() {
      const { size } = await stat(`${file}.checksums`);
      await write(checksumsName, size, createReadStream(`${file}.checksums`));
      archive.finalize();
      await written;
      await forget();
    },
    async abandon() {
      archive.destroy();
      await written.catch(() => {});
      await forget();
      await rm(file, { force: true });
    },
  };
}

async function* oneChunk(content: Buffer): AsyncIterable<Buffer> {
  yield content;
}
