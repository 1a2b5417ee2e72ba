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
  rows: Pick<NumberRow, (typeof fileFields)[number]>[],
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
  return [...new Set(missing.map(({ field, file }) => `${field}: There is no audio file "${file}".`))];
}
