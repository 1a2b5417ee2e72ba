import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BackupError, type Description, dumpName, pgdataName, storeListName } from '../../platform/backup/contents.ts';
import { type ReadBackup, readBackup } from '../../platform/backup/read.ts';
import { findMissing } from '../../platform/backup/sources.ts';
import { type Config, readConfig } from '../../platform/config.ts';
import { connectionOf } from '../../platform/db/connect/connection.ts';
import { readMigrations } from '../../platform/db/migrate.ts';
import { makeFilesInStore } from '../../platform/files/in-store.ts';
import { openStore } from '../../platform/files/s3/client.ts';
import { embeddedMajor } from '../../platform/postgres/binaries.ts';
import { addArchivedWal, ReplayError, replayWal } from '../../platform/postgres/wal/replay.ts';
import { productVersion } from '../../platform/version.ts';
import { directUrlOf, readVersions } from '../database/own-database.ts';
import { Complaint, thousands } from '../terminal.ts';
import { restoreDump } from './dump.ts';

export interface RestoreOptions {
  dataDir: string;
  /** A moment, or `latest`. */
  at?: string;
  walArchive?: string;
  json?: boolean;
}

const mostNamed = 20;

/**
 * Makes a data directory of a backup. It is unpacked beside the place and moved there when all checksums fit: whatever goes wrong before
 * leaves nothing that a server would start on.
 */
export async function restore(
  env: Record<string, string | undefined>,
  file: string,
  { dataDir, at, walArchive, json }: RestoreOptions,
): Promise<void> {
  const target = resolve(dataDir);
  const config = readConfig({ ...env, DATA_DIR: target });
  const moment = at === undefined ? undefined : readMoment(at, walArchive ?? config.WAL_ARCHIVE);
  await refuseFull(target);
  const draft = join(target, `.restoring-${process.pid}`);
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    const done = await readBackup(file, unpackInto(draft, { file, config, moment }));
    const reached = moment && (await bringForward(draft, done.description, moment));
    if (done.description.database.kind === 'dump') {
      const dump = join(draft, dumpName);
      await restoreDump({ url: directUrlOf(connectionOf(config)), file: dump, searchPath: config.searchPath });
      await rm(dump);
    }
    const missing = await missingInStore(draft, config);
    for (const name of await readdir(draft)) {
      if (name.startsWith('parley-')) await rm(join(draft, name));
      else await rename(join(draft, name), join(target, name));
    }
    await rmdir(draft);
    tell(done, { target, config, missing, reached, json: json === true });
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (error instanceof BackupError || error instanceof ReplayError) throw new Complaint(error.message);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EACCES') throw new Complaint(`${target} cannot be written: ${message}`);
    throw error;
  }
}

/** Writes each file as only its owner can read it, which PostgreSQL insists on. */
function unpackInto(
  draft: string,
  { file, config, moment }: { file: string; config: Config; moment?: Moment | undefined },
) {
  return {
    async begin(description: Description) {
      await refuseUnfit(description, file, config);
      if (moment) await refuseMoment(description, file, moment);
    },
    async directory(name: string) {
      await mkdir(join(draft, name), { recursive: true, mode: 0o700 });
    },
    async file(name: string, bytes: AsyncIterable<Buffer>) {
      const path = join(draft, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await pipeline(Readable.from(bytes), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    },
  };
}

async function refuseFull(target: string): Promise<void> {
  const found = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new Complaint(`${target} cannot be used: ${error.message}`, 2);
  });
  if (found.length > 0)
    throw new Complaint(`${target} is not empty. Name a directory that is, or one that is not there yet.`, 2);
}

/** Whether the database in it can be used by this version, on this machine. */
async function refuseUnfit(description: Description, file: string, config: Config): Promise<void> {
  const { version, platform, database } = description;
  const newest = (await readMigrations()).at(-1)?.version ?? 0;
  if (database.migration > newest) {
    throw new BackupError(
      `${file} was made by Parley ${version}, which is newer than this one (${productVersion()}). Install that version.`,
    );
  }
  if (database.kind === 'dump') return refuseFullDatabase(file, config);
  if (config.DATABASE_URL) {
    throw new BackupError(
      `${file} holds an embedded database, which cannot go into the one of DATABASE_URL. Unset DATABASE_URL.`,
    );
  }
  const here = `${process.platform}-${process.arch}`;
  if (platform !== here)
    throw new BackupError(`${file} was made on ${platform}; its database cannot be read on ${here}.`);
  const major = await embeddedMajor();
  if (database.postgres !== major) {
    throw new BackupError(
      `${file} was made with PostgreSQL ${database.postgres}, and this Parley brings ${major}. Install Parley ${version}.`,
    );
  }
}

async function refuseFullDatabase(file: string, config: Config): Promise<void> {
  if (!config.DATABASE_URL) {
    throw new BackupError(
      `${file} holds a dump of a database of your own. Set DATABASE_URL to an empty one that it goes into.`,
    );
  }
  const { migration } = await readVersions(connectionOf(config));
  if (migration !== undefined)
    throw new BackupError('The database of DATABASE_URL holds data of Parley already. Name an empty one.');
}

/** undefined: the backup has no list, or FILES_URL names no store to compare it with. */
async function missingInStore(draft: string, config: Config): Promise<string[] | undefined> {
  const list = join(draft, storeListName);
  if (!config.store || !(await readdir(draft)).includes(storeListName)) return undefined;
  const store = openStore(config.store);
  try {
    const missing: string[] = [];
    for await (const name of findMissing(list, makeFilesInStore(store, { dataDir: draft }))) missing.push(name);
    return missing;
  } finally {
    await store.close();
  }
}

interface Told {
  target: string;
  config: Config;
  missing: string[] | undefined;
  /** With --at: when the last transaction was committed. */
  reached: string | undefined;
  json: boolean;
}

function tell({ description, entries, bytes }: ReadBackup, { target, config, missing, reached, json }: Told): void {
  if (json) {
    const more = { missing_in_store: missing ?? null, ...(reached !== undefined && { last_transaction: reached }) };
    console.log(JSON.stringify({ data_dir: target, ...description, entries, bytes, ...more }));
    return;
  }
  console.log(
    `Restored ${thousands(entries)} entries, ${thousands(bytes)} bytes, of ${description.created} to ${target}.`,
  );
  if (reached) console.log(`Its last transaction is of ${reached}. Files are those of the backup.`);
  if (!description.has_secret_key)
    console.log('Start with the SECRET_KEY that the server had: it is not in the backup.');
  if (description.files === 'listed' && !config.store) {
    console.log('Its files are in a store: start with the FILES_URL that the server had.');
  }
  if (missing && missing.length > 0) {
    console.log(
      `${thousands(missing.length)} files are not in the store any more:\n  ${missing.slice(0, mostNamed).join('\n  ')}`,
    );
  }
  if (description.files === 'copied' && config.store) {
    console.log('Its files are on the disk now. `parley files move --to store` puts them into the store of FILES_URL.');
  }
  console.log(`Start it with DATA_DIR=${target}.`);
}

/** Where a restore is to stop, and where the WAL that leads there is. */
interface Moment {
  /** As ISO 8601; undefined: the last there is. */
  at: string | undefined;
  archive: string;
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/;
const progress = (line: string): void => console.error(line);

/** Reads `--at`. A time without a zone would be another moment on another machine. */
function readMoment(text: string, archive: string): Moment {
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
async function refuseMoment(description: Description, file: string, { at, archive }: Moment): Promise<void> {
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
async function bringForward(draft: string, { wal }: Description, moment: Moment): Promise<string | undefined> {
  const { segments, gap } = await addArchivedWal(join(draft, pgdataName), join(moment.archive, wal?.folder ?? ''));
  progress(`${thousands(segments)} segments of WAL come after the backup.`);
  return replayWal({ directory: join(draft, 'postgres'), at: moment.at, gap, tell: progress });
}
