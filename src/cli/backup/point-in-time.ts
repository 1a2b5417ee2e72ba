import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BackupError, type Description, pgdataName } from '../../platform/backup/contents.ts';
import { addArchivedWal, replayWal } from '../../platform/postgres/wal/replay.ts';
import { Complaint } from '../complaint.ts';
import { thousands } from '../progress.ts';

/** Where a restore is to stop, and where the WAL that leads there is. */
export interface Moment {
  /** As ISO 8601; undefined: the last there is. */
  at: string | undefined;
  archive: string;
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/;
const progress = (line: string): void => console.error(line);

/** Reads `--at`. A time without a zone would be another moment on another machine. */
export function readMoment(text: string, archive: string): Moment {
  if (archive === '')
    throw new Complaint(
      '--at needs the WAL that the server kept: set WAL_ARCHIVE or --wal-archive to its directory.',
      2,
    );
  if (text === 'latest') return { at: undefined, archive: resolve(archive) };
  const ms = isoTime.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    throw new Complaint(`--at ${text} is not a time with its zone, such as 2026-11-18T09:30:00Z, nor "latest".`, 2);
  if (ms > Date.now()) throw new Complaint(`--at ${text} is in the future.`, 2);
  return { at: text, archive: resolve(archive) };
}

/** What can be known before anything is unpacked. */
export async function refuseMoment(description: Description, file: string, { at, archive }: Moment): Promise<void> {
  const { wal, created } = description;
  if (!wal) throw new BackupError(`${file} was made while no WAL was kept: it can only be restored without --at.`);
  if (at !== undefined && Date.parse(at) < Date.parse(created))
    throw new BackupError(`${file} was made at ${created}, after ${at}. Use an earlier backup.`);
  const folder = join(archive, wal.folder);
  await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(
      error.code === 'ENOENT'
        ? `${archive} has no folder ${wal.folder}, which has the WAL of ${file}.`
        : `${folder} cannot be read: ${error.message}`,
    );
  });
}

/** Takes an unpacked backup to its moment. Answers when the last transaction in it was committed. */
export async function bringForward(draft: string, { wal }: Description, moment: Moment): Promise<string | undefined> {
  const { segments, gap } = await addArchivedWal(join(draft, pgdataName), join(moment.archive, wal?.folder ?? ''));
  progress(`${thousands(segments)} segments of WAL come after the backup.`);
  return replayWal({ directory: join(draft, 'postgres'), at: moment.at, gap, tell: progress });
}
