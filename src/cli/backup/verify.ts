import { BackupError, dumpName, passwordName, pgdataName } from '../../platform/backup/contents.ts';
import { readBackup } from '../../platform/backup/read.ts';
import { Complaint, thousands } from '../terminal.ts';

/** Without these there is no database in it. */
const needed = {
  embedded: [`${pgdataName}/backup_label`, `${pgdataName}/global/pg_control`, `${pgdataName}/PG_VERSION`, passwordName],
  dump: [dumpName],
};

/** Reads a backup to its end and compares it with its checksums. */
export async function verifyBackup(file: string, { json }: { json?: boolean }): Promise<void> {
  const missing = new Set([...needed.embedded, ...needed.dump]);
  try {
    const { description, entries, bytes } = await readBackup(file, {
      begin: async () => {},
      directory: async () => {},
      async file(name, content) {
        missing.delete(name);
        for await (const _ of content);
      },
    });
    const absent = needed[description.database.kind].filter((name) => missing.has(name));
    if (absent.length > 0) throw new BackupError(`${file} is not complete: ${absent.join(', ')} is missing.`);
    if (json) return console.log(JSON.stringify({ ...description, entries, bytes }));
    const { version, created, database } = description;
    console.log(`${file} is whole: ${thousands(entries)} entries, ${thousands(bytes)} bytes, made at ${created}`);
    console.log(`by Parley ${version} with PostgreSQL ${database.postgres}, migration ${database.migration}.`);
  } catch (error) {
    throw error instanceof BackupError ? new Complaint(error.message) : error;
  }
}
