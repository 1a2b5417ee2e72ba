import { opendir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Deps, Task } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/connect/pool.ts';
import { ApiError, notFound, ValidationError } from '../../platform/errors.ts';
import { removeOrphans } from '../../platform/files/files.ts';
import type { Upload } from '../../platform/http/files/upload.ts';
import { isUuid, newId } from '../../platform/ids.ts';
import { keptDays, speechDirectory, TooBusy } from '../../platform/speech/sounds.ts';
import { Refusal, TookTooLong } from '../../platform/speech/thread.ts';
import { within } from '../../platform/within.ts';
import { countStored, refuseWithoutRoom, takeRoom, withinRoom } from '../accounts/index.ts';
import { appendEvents } from '../timeline/index.ts';
import {
  type AudioRow,
  findByName,
  findFreeName,
  findKnownAnyAccount,
  insertAudioFile,
  lockAudioFile,
  lockNames,
  mp3Place,
  removeAudioFile,
  soundPlace,
} from './queries.ts';
import type { AudioFileCreate } from './schemas.ts';

const subjectType = 'audio_file';

/** Keeps an MP3, and what calls play of it. Both are in their places before their row is seen by anybody. */
export async function storeAudioFile(
  deps: Deps,
  accountId: string,
  upload: Upload,
  { name }: AudioFileCreate,
): Promise<AudioRow> {
  if (isUuid(name ?? upload.filename)) throw new ValidationError({ name: ['A name cannot be a uuid.'] });
  // Looked at before the long work too.
  if (name !== undefined) await chooseName(deps.db, accountId, name, upload.filename);
  const uuid = newId();
  const { filename, size, sha256 } = upload;
  await refuseWithoutRoom(deps, accountId, size);
  const seconds = await keep(deps, accountId, uuid, upload);
  const store = async (deps: Deps): Promise<AudioRow> => {
    const { db } = deps;
    await lockNames(db, accountId);
    const file = { uuid, name: await chooseName(db, accountId, name, filename), filename, size, sha256 };
    const row = await insertAudioFile(db, accountId, { ...file, duration_ms: Math.round(seconds * 1000) });
    await takeRoom(deps, accountId, storedBytes(row));
    const data = { name: row.name, size, sha256 };
    await appendEvents(db, [{ accountId, subjectType, subject: uuid, kind: 'audio_file.created', data }]);
    return row;
  };
  const places = [mp3Place(accountId, uuid), soundPlace(accountId, uuid)];
  return withinRoom(deps, places, () => within(deps, store));
}

/** The MP3, and a byte for each of the 8,000 samples a second that calls play of it. */
const storedBytes = ({ size, duration_ms }: AudioRow): number => size + duration_ms * 8;

async function keep({ sounds, files }: Deps, accountId: string, uuid: string, upload: Upload): Promise<number> {
  const converted = `${upload.path}.ulaw`;
  try {
    const { seconds } = await sounds.convertMp3(upload.path, converted).catch(explain);
    await files.adopt(converted, soundPlace(accountId, uuid));
    await files.adopt(upload.path, mp3Place(accountId, uuid));
    return seconds;
  } finally {
    await rm(converted, { force: true });
  }
}

function explain(error: unknown): never {
  if (error instanceof Refusal) throw new ValidationError({ file: [error.message] });
  if (error instanceof TookTooLong) throw new ValidationError({ file: ['This MP3 cannot be decoded.'] });
  if (error instanceof TooBusy) {
    throw new ApiError('unavailable', {
      detail: 'Too many audio files are being converted. Try again shortly.',
      headers: { 'retry-after': '5' },
    });
  }
  throw error;
}

async function chooseName(db: Db, accountId: string, wanted: string | undefined, filename: string): Promise<string> {
  const name = wanted ?? filename;
  if (!(await findByName(db, accountId, name))) return name;
  if (wanted !== undefined) throw new ValidationError({ name: ['An audio file with this name already exists.'] });
  const ending = path.extname(filename);
  return findFreeName(db, accountId, path.basename(filename, ending), ending);
}

/** Deletes a file that no number and no routing config names. A call that is playing it plays it to its end. */
export async function deleteAudioFile(deps: Deps, accountId: string, uuid: string): Promise<void> {
  const row = await inTransaction(deps.db, async (db) => {
    const row = await lockAudioFile(db, accountId, uuid);
    if (!row) throw notFound();
    const [user] = (await deps.uses.audioFiles(db, accountId, [row], 1)).get(row.uuid) ?? [];
    if (user !== undefined) {
      const who = isUuid(user) ? 'A routing config' : 'A number';
      throw new ApiError('audio_file_in_use', { detail: `${who} still uses this audio file: ${user}.` });
    }
    await removeAudioFile(db, accountId, uuid);
    await countStored(db, accountId, -storedBytes(row));
    await appendEvents(db, [{ accountId, subjectType, subject: uuid, kind: 'audio_file.deleted' }]);
    return row;
  });
  await deps.files.delete(soundPlace(accountId, row.uuid));
  await deps.files.delete(mp3Place(accountId, row.uuid));
}

const dayMs = 86_400_000;

/** Removes files that no row speaks of, and speech that was not heard for a month. */
export async function sweep({ db, files, clock, config }: Pick<Deps, 'db' | 'files' | 'clock' | 'config'>) {
  const before = (days: number): Date => new Date(clock.now().getTime() - days * dayMs);
  const findKnown = (some: { accountId: string; uuid: string }[]) => findKnownAnyAccount(db, some);
  for (const folder of ['audio', 'sounds']) await removeOrphans(files, { folder, before: before(1), findKnown });
  await removeOld(speechDirectory(config.dataDir), before(keptDays));
}

async function removeOld(directory: string, moment: Date): Promise<void> {
  const entries = await opendir(directory).catch(() => undefined);
  if (!entries) return;
  for await (const { name } of entries) {
    const file = path.join(directory, name);
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() && found.mtime < moment) await rm(file, { force: true });
  }
}

export const tasks: Task[] = [
  { name: 'audio.sweep', batchSize: 1, cron: '47 3 * * *', handler: (deps) => sweep(deps) },
];
