import type { Deps } from '../../deps.ts';
import { holdAudioFiles } from '../audio/index.ts';
import type { NumberRow } from './queries.ts';

const fileFields = [
  'whisper_file',
  'record_call_file',
  'keep_number_file',
  'voicemail_lite_file',
  'capture_digits_file',
] as const;

/** What numbers were accepted with, and what will be left out when a call comes. A sentence each, with the field first. */
export async function numberWarnings(
  { db }: Deps,
  accountId: string,
  rows: Pick<NumberRow, (typeof fileFields)[number] | 'features' | 'tts' | 'keywords'>[],
): Promise<string[]> {
  const named = rows.flatMap((row) =>
    fileFields.map((field) => ({ field, file: row[field] })).filter(({ file }) => file !== ''),
  );
  const known = await holdAudioFiles(
    db,
    accountId,
    named.map(({ file }) => file),
  );
  const missing = named.filter(({ file }) => !known.has(file));
  const unheard = missing.map(({ field, file }) => `${field}: There is no audio file "${file}".`);
  return [...new Set([...unheard, ...rows.flatMap(emptyFeatures)])];
}

/** Features that are on and have nothing to play, to say or to look for. */
function emptyFeatures(row: Pick<NumberRow, 'features' | 'whisper_file' | 'capture_digits_file' | 'tts' | 'keywords'>) {
  const on = (feature: string) => row.features.includes(feature);
  return [
    ...(on('WHISPER') && row.whisper_file === ''
      ? ['whisper_file: WHISPER is on without an audio file: whoever answers hears nothing.']
      : []),
    ...(on('CAPTURE_DIGITS') && row.capture_digits_file === ''
      ? ['capture_digits_file: CAPTURE_DIGITS is on without an audio file: callers are not told what to enter.']
      : []),
    ...(on('TTS') && row.tts.trim() === '' ? ['tts: TTS is on without a text: callers hear nothing.'] : []),
    ...(on('KEYWORDS') && row.keywords.length === 0
      ? ['keywords: KEYWORDS is on without keywords: nothing is looked for.']
      : []),
  ];
}
