import { chmod, copyFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../errors.ts';
import { startEmbeddedPostgres } from '../index.ts';
import { after, isSegmentName, listSegments, partial, segmentBytes, timelineOf } from './segments.ts';

/** Why a database cannot be brought to a moment: a sentence. */
export class ReplayError extends Error {
  override name = 'ReplayError';
}

/** What an archive had beyond the WAL of a base backup. */
export interface AddedWal {
  segments: number;
  /** The first segment that it lacks although it has later ones; those are of no use. */
  gap: string | undefined;
}

/** Copies what an archive has beyond the WAL of a base backup into its data directory. */
export async function addArchivedWal(pgdata: string, folder: string): Promise<AddedWal> {
  const log = join(pgdata, 'pg_wal');
  const last = (await readdir(log)).filter(isSegmentName).sort().at(-1);
  if (last === undefined) throw new ReplayError('The backup holds no WAL: it is not complete.');
  const { whole, begun } = await listSegments(folder);
  const later = [...whole, ...(begun === undefined ? [] : [begun])].filter(
    (name) => name > last && timelineOf(name) === timelineOf(last),
  );
  let expected = after(last);
  let segments = 0;
  for (const name of later) {
    if (name !== expected) return { segments, gap: expected };
    expected = after(name);
    segments++;
    const target = join(log, name);
    // The server writes to its segments: a link would change the archive.
    await copyFile(join(folder, name === begun ? name + partial : name), target);
    await truncate(target, Number(segmentBytes));
    await chmod(target, 0o600);
  }
  return { segments, gap: undefined };
}

interface Options {
  /** The directory of the embedded PostgreSQL, with a base backup in `pgdata`. */
  directory: string;
  /** As ISO 8601; undefined: to the end of the WAL. */
  at: string | undefined;
  gap: string | undefined;
  tell: (line: string) => void;
}

/** Lets the server replay its WAL up to a moment, and stops it there. Answers when the last transaction was committed. */
export async function replayWal({ directory, at, gap, tell }: Options): Promise<string | undefined> {
  if (at === undefined && gap !== undefined)
    throw new ReplayError(`The archive lacks ${gap}. Put it back, or use --at with a moment before it.`);
  await writeFile(join(directory, 'pgdata', 'recovery.signal'), '', { mode: 0o600 });
  tell('Replaying the WAL…');
  try {
    const server = await startEmbeddedPostgres({
      directory,
      // It speaks of a crash, which this is not.
      progress: () => {},
      settings: {
        // All there is stands in the data directory already; PostgreSQL insists on a command.
        restore_command: 'exit 1',
        recovery_target_timeline: 'current',
        recovery_target_action: 'promote',
        // Sessions are let in when all is replayed, and not before.
        hot_standby: 'off',
        // It knows no names of zones yet when it reads this.
        ...(at !== undefined && { recovery_target_time: at.replace('Z', '+00:00') }),
      },
    });
    await server.stop();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw sentenceFor(error, { at, gap, last: await lastTransaction(directory) });
  }
  return lastTransaction(directory);
}

async function lastTransaction(directory: string): Promise<string | undefined> {
  const log = await readFile(join(directory, 'postgres.log'), 'utf8').catch(() => '');
  const [time] = [...log.matchAll(/last completed transaction was at log time (\S+ \S+)\+00/g)]
    .map(([, found]) => found)
    .slice(-1);
  return time && `${time.replace(' ', 'T')}Z`;
}

interface Known extends Pick<Options, 'at' | 'gap'> {
  last: string | undefined;
}

function sentenceFor(error: StartError, { at, gap, last }: Known): Error {
  if (/before configured recovery target was reached/.test(error.message)) {
    if (gap !== undefined) return new ReplayError(`The archive lacks ${gap}, which leads to ${at}. Put it back.`);
    const end = last ? `ends with a transaction of ${last}` : 'holds nothing after the backup';
    return new ReplayError(`The archive ${end}, before ${at}. Use an earlier --at, or --at latest for all there is.`);
  }
  if (/before consistent recovery point/.test(error.message))
    return new ReplayError(`The backup was not complete yet at ${at}. Use an earlier backup, or a later --at.`);
  return error;
}
