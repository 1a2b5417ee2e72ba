import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { BackupError, type Description } from '../../platform/backup/contents.ts';
import { readBackup } from '../../platform/backup/read.ts';
import { readConfig } from '../../platform/config.ts';
import { slotPrefix } from '../../platform/postgres/wal/archive.ts';
import { listSegments } from '../../platform/postgres/wal/segments.ts';
import { Complaint, thousands } from '../terminal.ts';

interface PruneOptions {
  walArchive?: string;
  json?: boolean;
}

/**
 * Removes the WAL from which no backup in a directory can be brought forward: segments before the oldest backup of their folder, and
 * folders that nothing was written to since before the oldest backup of all, and that none of them needs.
 */
export async function pruneWal(
  env: Record<string, string | undefined>,
  directory: string,
  { walArchive, json }: PruneOptions,
): Promise<void> {
  const archive = walArchive ?? readConfig(env).WAL_ARCHIVE;
  if (archive === '') throw new Complaint('Set WAL_ARCHIVE or --wal-archive to the directory where WAL is kept.', 2);
  const backups = await readBackups(resolve(directory));
  if (backups.length === 0) throw new Complaint(`There is no backup in ${resolve(directory)}. Nothing was removed.`);
  const oldestMs = Math.min(...backups.map(({ created }) => Date.parse(created)));
  let segments = 0;
  let bytes = 0;
  for (const folder of await foldersOf(resolve(archive))) {
    const needed = backups.flatMap(({ wal }) => (wal && basename(folder) === wal.folder ? [wal.from] : [])).sort()[0];
    const { whole, begun } = await listSegments(folder);
    const isAbandoned = needed === undefined && (await lastWriteMs(folder)) < oldestMs;
    for (const name of whole.filter((segment) => isAbandoned || (needed !== undefined && segment < needed))) {
      bytes += (await stat(join(folder, name))).size;
      await rm(join(folder, name));
      segments++;
    }
    if (isAbandoned) {
      if (begun !== undefined) segments++;
      await rm(folder, { recursive: true });
    }
  }
  if (json) console.log(JSON.stringify({ backups: backups.length, segments, bytes }));
  else
    console.log(
      `Removed ${thousands(segments)} segments of WAL, ${thousands(bytes)} bytes, that none of ${thousands(backups.length)} backups needs.`,
    );
}

/** The descriptions of the backups in a directory; what is being written at the moment is none yet. */
async function readBackups(directory: string): Promise<Description[]> {
  const found: Description[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(unreadable(directory))) {
    if (!entry.isFile() || entry.name.includes('.part-')) continue;
    const description = await describe(join(directory, entry.name));
    if (description) found.push(description);
    else if (entry.name.endsWith('.tar.zst'))
      console.error(`${entry.name} cannot be read as a backup, and does not count.`);
  }
  return found;
}

/** Reads the beginning of a backup alone. */
async function describe(file: string): Promise<Description | undefined> {
  let found: Description | undefined;
  const enough = new Error('read');
  const stop = async (description: Description): Promise<void> => {
    found = description;
    throw enough;
  };
  const unread = async (): Promise<void> => {};
  await readBackup(file, { begin: stop, directory: unread, file: unread }).catch((error) => {
    if (error !== enough && !(error instanceof BackupError)) throw error;
  });
  return found;
}

async function foldersOf(archive: string): Promise<string[]> {
  const names = await readdir(archive).catch(unreadable(archive));
  return names.filter((name) => name.startsWith(slotPrefix)).map((name) => join(archive, name));
}

async function lastWriteMs(folder: string): Promise<number> {
  const times = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).mtimeMs);
  return Math.max((await stat(folder)).mtimeMs, ...(await Promise.all(times)));
}

const unreadable =
  (directory: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw new Complaint(`${directory} cannot be read: ${error.message}`, 2);
  };
