import { stat } from 'node:fs/promises';
import type { Sound } from '../../carriers/ports/voice.ts';
import type { Deps } from '../../deps.ts';
import { sampleRate } from '../../platform/audio/g711.ts';
import { makeFiles } from '../../platform/files.ts';
import type { Tone } from '../../platform/speech/sounds.ts';
import { findAudioFile, findByName, isUuid, soundPlace } from './queries.ts';

/** What a file of the account sounds like; undefined when there is none of that name or uuid, or its bytes are gone. */
export async function findSound(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  accountId: string,
  nameOrUuid: string,
): Promise<Sound | undefined> {
  const row = isUuid(nameOrUuid)
    ? await findAudioFile(db, accountId, nameOrUuid)
    : await findByName(db, accountId, nameOrUuid);
  if (!row) return undefined;
  const path = makeFiles(config.dataDir).path(soundPlace(accountId, row.uuid));
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  return size === 0 ? undefined : { path, seconds: size / sampleRate };
}

/** A text of at most 5,000 characters, spoken in English; nothing to say is a moment of silence. */
export const speak = ({ sounds }: Pick<Deps, 'sounds'>, text: string): Promise<Sound> => sounds.speak(text);

/** The tone after which voicemail records, or one round of what a caller hears while it rings. */
export const tone = ({ sounds }: Pick<Deps, 'sounds'>, name: Tone): Promise<Sound> => sounds.tone(name);
