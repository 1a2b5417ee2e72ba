import path from 'node:path';
import { extract } from 'tar-stream';
import { startBaseBackup } from '../postgres/base-backup.ts';
import type { PostgresConnection } from '../postgres/guard.ts';
import { passwordName, pgdataName } from './contents.ts';
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
