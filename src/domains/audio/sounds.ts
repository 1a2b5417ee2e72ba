import { stat } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { Sound } from '../../carriers/ports/voice.ts';
import type { Deps } from '../../deps.ts';
import { sampleRate } from '../../platform/audio/g711.ts';
import { ulawHeader } from '../../platform/audio/wav.ts';
import { type FieldErrors, notFound } from '../../platform/errors.ts';
import { type FileAnswer, fileAnswer } from '../../platform/http/files/file-answer.ts';
import type { Answer } from '../../platform/http/route.ts';
import { isUuid } from '../../platform/ids.ts';
import {
  english,
  findLanguage,
  isEnglish,
  isWrittenIn,
  type SpokenLanguage,
  scriptSentence,
} from '../../platform/speech/languages.ts';
import type { Tone } from '../../platform/speech/sounds.ts';
import { isSpeakable } from '../../platform/speech/text.ts';
import { findAudioFile, findByName, mp3Place, soundPlace } from './queries.ts';

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

/** The MP3 as it came, or what callers hear of it. */
export async function serveAudioFile(
  { db, files }: Deps,
  accountId: string,
  uuid: string,
  { format, asked }: { format: keyof typeof formats; asked: IncomingHttpHeaders },
): Promise<Answer> {
  const row = await findAudioFile(db, accountId, uuid);
  if (!row) throw notFound();
  const { type, placeOf, ...content } = formats[format];
  const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${row.uuid}.${format}"` };
  return fileAnswer(files, placeOf(row.account_id, row.uuid), { headers, asked, ...content });
}

/** Sounds are stored without a header. A chunk of a WAV file has an even number of bytes. */
const wavFrame: FileAnswer['frame'] = (size) => ({ before: ulawHeader(1, size), behind: Buffer.alloc(size & 1) });

const formats = {
  mp3: { type: 'audio/mpeg', placeOf: mp3Place },
  wav: { type: 'audio/wav', placeOf: soundPlace, frame: wavFrame },
};

/** Why a text cannot be spoken in a language on this server. */
export async function speechErrors(
  { sounds }: Pick<Deps, 'sounds'>,
  { tts = '', tts_language = english }: { tts?: string | undefined; tts_language?: string | undefined },
): Promise<FieldErrors> {
  if (isEnglish(tts_language)) return isSpeakable(tts) ? {} : { tts: [englishSentence] };
  const languages = await sounds.languages();
  if (!findLanguage(languages, tts_language)) return { tts_language: [languageSentence(languages, tts_language)] };
  return isWrittenIn(tts, tts_language) ? {} : { tts: [scriptSentence(tts_language)] };
}

const englishSentence = 'Enter a text in Latin letters: what is written in other scripts cannot be spoken.';

const languageSentence = (languages: SpokenLanguage[], asked: string): string =>
  languages.length > 1
    ? `"${asked}" cannot be spoken on this server. These can: ${languages.map(({ language }) => language).join(', ')}.`
    : `"${asked}" cannot be spoken on this server, only English (en). Its operator can install espeak-ng for other languages.`;
