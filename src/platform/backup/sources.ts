import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import path, { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { type FileName, type Files, fileFolders } from '../files/files.ts';
import { entriesOf, isFileName } from '../files/on-disk.ts';
import { startBaseBackup } from '../postgres/base-backup.ts';
import type { PostgresConnection } from '../postgres/guard.ts';
import { passwordName, pgdataName, storeListName } from './contents.ts';
import type { BackupWriter } from './write.ts';

interface Entry extends AsyncIterable<Buffer> {
  header: { name: string; type?: string | null; size?: number };
  resume(): void;
}

/** Adds the files of a running embedded PostgreSQL, and its password. Answers the log positions of the first and last moment. */
export async function addEmbeddedDatabase(
  writer: BackupWriter,
  connection: PostgresConnection,
  directory: string,
): Promise<{ start: string; end: string }> {
  const backup = await startBaseBackup(connection);
  const archive = extract();
  try {
    backup.tar.on('error', (error) => archive.destroy(error));
    backup.tar.pipe(archive as unknown as NodeJS.WritableStream);
    await writer.addDirectory(pgdataName);
    for await (const entry of archive as unknown as AsyncIterable<Entry>) {
      const { name, type, size = 0 } = entry.header;
      const place = `${pgdataName}/${name.replace(/^\.\//, '').replace(/\/$/, '')}`;
      if (type === 'file') await writer.add(place, size, entry);
      else {
        if (type === 'directory') await writer.addDirectory(place);
        entry.resume();
      }
    }
  } finally {
    archive.destroy();
    await backup.close();
  }
  await writer.addFile(passwordName, path.join(directory, 'postgres-password'));
  const span = backup.span();
  if (!span.end) throw new Error('PostgreSQL did not say where its log ends.');
  return span;
}

/** Adds all files of accounts. One that is deleted meanwhile is left out. */
export async function addFiles(writer: BackupWriter, files: Files): Promise<number> {
  let count = 0;
  for (const folder of fileFolders) {
    for await (const { name } of files.list(folder)) {
      const file = await files.get(name);
      if (!file) continue;
      try {
        await writer.add(name, file.size, file.bytes as AsyncIterable<Buffer>);
        count++;
      } finally {
        file.bytes.destroy();
      }
    }
  }
  return count;
}

/** What a host with a store has on its own disk alone: recordings that are being made, or wait for the store. */
export async function addUnsent(writer: BackupWriter, dataDir: string): Promise<number> {
  let count = 0;
  for (const place of ['drafts', 'waiting-for-store']) {
    for await (const folder of entriesOf(join(dataDir, place))) {
      for await (const accountId of entriesOf(join(dataDir, place, folder))) {
        for await (const uuid of entriesOf(join(dataDir, place, folder, accountId))) {
          const name = `${folder}/${accountId}/${uuid}`;
          if (!isFileName(name)) continue;
          if (await writer.addFile(`${place}/${name}`, join(dataDir, place, name))) count++;
        }
      }
    }
  }
  return count;
}

interface Listed {
  name: FileName;
  size: number;
}

/** Adds the names and sizes of the files in a store; `draft` is where the list is put together. */
export async function addStoreList(writer: BackupWriter, files: Files, draft: string): Promise<number> {
  let count = 0;
  const lines = async function* () {
    for (const folder of fileFolders) {
      for await (const { name, size } of files.list(folder)) {
        count++;
        yield `${JSON.stringify({ name, size } satisfies Listed)}\n`;
      }
    }
  };
  try {
    await pipeline(Readable.from(lines()), createWriteStream(draft, { flags: 'wx', mode: 0o600 }));
    await writer.add(storeListName, (await stat(draft)).size, createReadStream(draft));
  } finally {
    await rm(draft, { force: true });
  }
  return count;
}

/** Which of the listed files a store does not have, or has with another size. */
export async function* findMissing(list: string, files: Files): AsyncIterable<FileName> {
  for await (const line of createInterface({ input: createReadStream(list) })) {
    const { name, size }: Listed = JSON.parse(line);
    if ((await files.size(name)) !== size) yield name;
  }
}
