import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { createZstdDecompress } from 'node:zlib';
import { extract } from 'tar-stream';
import { BackupError, checksumsName, type Description, descriptionName, formatNumber, isSafeName } from './contents.ts';

/** What is done with the contents, in their order. The bytes have to be read to their end. */
export interface BackupReader {
  /** Before anything else; throws to go no further. */
  begin(description: Description): Promise<void>;
  directory(name: string): Promise<void>;
  file(name: string, bytes: AsyncIterable<Buffer>): Promise<void>;
}

export interface ReadBackup {
  description: Description;
  entries: number;
  bytes: number;
}

/** Reads a backup from beginning to end, and compares all of it with its checksums. What was handed over counts only if this succeeds. */
export async function readBackup(path: string, reader: BackupReader): Promise<ReadBackup> {
  const archive = extract();
  const source = createReadStream(path);
  const plain = createZstdDecompress();
  // An error of one ends the others. What is read says then no more than that its stream has ended, so the reason is kept.
  let reason: Error | undefined;
  const end = (stream: { destroy(error: Error): unknown }) => (error: Error) => {
    reason ??= error;
    stream.destroy(error);
  };
  source.on('error', end(plain));
  plain.on('error', end(archive));
  source.pipe(plain).pipe(archive as unknown as NodeJS.WritableStream);
  try {
    return await readAll(path, archive as unknown as AsyncIterable<Entry>, reader);
  } catch (error) {
    throw explain(path, error instanceof BackupError ? error : (reason ?? error));
  } finally {
    source.destroy();
    plain.destroy();
    archive.destroy();
  }
}

interface Entry extends AsyncIterable<Buffer> {
  header: { name: string; type?: string | null; size?: number };
  resume(): void;
}

async function readAll(path: string, archive: AsyncIterable<Entry>, reader: BackupReader): Promise<ReadBackup> {
  let description: Description | undefined;
  let isWhole = false;
  let bytes = 0;
  let entries = 0;
  /** Of the list of checksums as it should be. */
  const list = createHash('sha256');
  for await (const entry of archive) {
    const { name, type } = entry.header;
    const plainName = name.replace(/\/$/, '');
    if (!isSafeName(plainName) || isWhole) throw new BackupError(`${path} is not a backup of Parley.`);
    if (type === 'directory') {
      await reader.directory(plainName);
      entry.resume();
      continue;
    }
    if (type !== 'file') throw new BackupError(`${path} is not a backup of Parley.`);
    const sum = createHash('sha256');
    const counted = async function* (): AsyncIterable<Buffer> {
      for await (const chunk of entry) {
        sum.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    };
    if (!description) {
      if (name !== descriptionName) throw new BackupError(`${path} is not a backup of Parley.`);
      description = readDescription(path, await text(counted()));
      await reader.begin(description);
    } else if (name === checksumsName) {
      for await (const _ of counted());
      if (sum.digest('hex') !== list.digest('hex'))
        throw new BackupError(`${path} is damaged: its checksums do not fit.`);
      isWhole = true;
      continue;
    } else await reader.file(name, counted());
    entries++;
    list.update(`${sum.digest('hex')}  ${name}\n`);
  }
  if (!description) throw new BackupError(`${path} is not a backup of Parley.`);
  if (!isWhole) throw new BackupError(`${path} is not complete: its end is missing.`);
  return { description, entries, bytes };
}

function readDescription(path: string, content: string): Description {
  let found: Partial<Description>;
  try {
    found = JSON.parse(content);
  } catch {
    throw new BackupError(`${path} is not a backup of Parley.`);
  }
  if (found.product !== 'parley') throw new BackupError(`${path} is not a backup of Parley.`);
  if (found.format !== formatNumber) {
    throw new BackupError(
      `${path} was made by Parley ${found.version} in format ${found.format}; this version reads format ${formatNumber}.`,
    );
  }
  return found as Description;
}

function explain(path: string, error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof BackupError) return error;
  if (code === 'ENOENT') return new BackupError(`There is no file ${path}.`);
  if (code === 'EISDIR') return new BackupError(`${path} is a directory, not a backup.`);
  if (/^ZSTD_|^Z_/.test(code ?? '')) return new BackupError(`${path} is damaged, or not a backup of Parley.`);
  // What tar-stream says of bytes that are no tar, and of a tar without an end.
  if (/tar header|Unexpected end of data|Invalid tar/i.test(message ?? '')) {
    return new BackupError(`${path} is damaged, or not a backup of Parley.`);
  }
  return error;
}
