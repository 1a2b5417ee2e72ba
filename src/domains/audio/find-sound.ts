import { stat } from 'node:fs/promises';
import type { Sound } from '../../carriers/ports/voice.ts';
import type { Deps } from '../../deps.ts';
import { sampleRate } from '../../platform/audio/g711.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Tone } from '../../platform/speech/sounds.ts';
import { findAudioFile, findByName, soundPlace } from './queries.ts';

/** What a file of the account sounds like; undefined when there is none of that name or uuid, or its bytes are gone. */
export async function findSound(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  accountId: string,
  nameOrUuid: string,
): Promise<Sound | undefined> {
  const row = isUuid(nameOrUuid)
    ? await findAudioFile(db, accountId, nameOrUuid)
    : await findByName(db, accountId, nameOrUuid);
  if (!row) return undefined;
  const path = await files.local(soundPlace(accountId, row.uuid));
  const { size = 0 } = (await stat(path).catch(() => undefined)) ?? {};
  return size > 0 ? { path, seconds: size / sampleRate } : undefined;
}

/** A text of at most 5,000 characters, spoken in a language; nothing to say is a moment of silence. */
export const speak = ({ sounds }: Pick<Deps, 'sounds'>, text: string, language?: string): Promise<Sound> =>
  sounds.speak(text, language);

/** The tone after which voicemail records, or one round of what a caller hears while it rings. */
export const tone = ({ sounds }: Pick<Deps, 'sounds'>, name: Tone): Promise<Sound> => sounds.tone(name);
