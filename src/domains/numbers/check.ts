import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { type FieldErrors, ValidationError } from '../../platform/errors.ts';
import { readPhone } from '../../platform/phone.ts';
import { countryOf } from '../accounts/index.ts';
import { lockAudioFiles, speechErrors } from '../audio/index.ts';
import { findUnknownWebhooks } from '../webhooks/index.ts';
import { findNumbers, type NumberRow } from './queries.ts';
import type { NumberCreate, NumberUpdateItem, Settings } from './schemas.ts';
import { completeSettings, patchSettings } from './settings.ts';

/** The errors of each item's `webhooks`, by their place in the list. */
export async function webhookErrors(
  db: Db,
  accountId: string,
  items: { webhooks?: string[] | undefined }[],
): Promise<FieldErrors[]> {
  const names = items.flatMap((item) => item.webhooks ?? []);
  if (names.length === 0) return items.map(() => ({}));
  const unknown = await findUnknownWebhooks(db, accountId, names);
  return items.map(({ webhooks = [] }): FieldErrors => {
    const errors = [...webhooks.entries()]
      .filter(([, name]) => unknown.has(name))
      .map(([place, name]) => [place, [`Webhook "${name}" does not exist.`]]);
    return errors.length > 0 ? { webhooks: Object.fromEntries(errors) } : {};
  });
}

/** The errors of items, by their numbers, that name one which an item before them has named. */
export function repeatErrors(items: (string | undefined)[]): FieldErrors[] {
  const seen = new Set<string>();
  return items.map((digits): FieldErrors => {
    if (digits === undefined) return {};
    if (seen.has(digits)) return { number: ['This number appears more than once.'] };
    seen.add(digits);
    return {};
  });
}

/** Refuses the request if any item has an error; the lists are merged item by item. */
export function refuseErrors(...lists: FieldErrors[][]): void {
  const merged = lists[0]!.map((_, item) => Object.assign({}, ...lists.map((list) => list[item])) as FieldErrors);
  if (merged.some((errors) => Object.keys(errors).length > 0)) throw new ValidationError(merged);
}

/** Runs work on a list of one: its only result, and its errors without the list around them. */
export async function alone<T>(work: Promise<T[]>): Promise<T> {
  try {
    return (await work)[0]!;
  } catch (error) {
    if (error instanceof ValidationError && Array.isArray(error.errors)) throw new ValidationError(error.errors[0]!);
    throw error;
  }
}

/** Why texts of new numbers cannot be spoken, by their place in the list. */
export const newSpeechErrors = (deps: Pick<Deps, 'sounds'>, requests: NumberCreate[]): Promise<FieldErrors[]> =>
  Promise.all(requests.map((request) => speechErrors(deps, completeSettings(request))));

/** The same of a change. What was accepted once, and stays as it is, is not asked about again. */
export const changedSpeechErrors = async (
  deps: Pick<Deps, 'sounds'>,
  before: Settings,
  after: Settings,
): Promise<FieldErrors> =>
  before.tts === after.tts && before.tts_language === after.tts_language ? {} : speechErrors(deps, after);

/** The same of changes to come, as far as the numbers are there: their text or their language may be what is left out. */
export async function patchSpeechErrors(
  deps: Deps,
  accountId: string,
  items: NumberUpdateItem[],
): Promise<FieldErrors[]> {
  const speaks = ({ tts, tts_language }: NumberUpdateItem): boolean => tts !== undefined || tts_language !== undefined;
  if (!items.some(speaks)) return items.map(() => ({}));
  const country = await countryOf(deps, accountId);
  const digits = items.map((item) => (speaks(item) ? readPhone(item.number, country) : ''));
  const rows = await findNumbers(deps.db, accountId, [...new Set(digits.filter((each) => each !== ''))]);
  const found = new Map(rows.map((row) => [row.digits, row as NumberRow & Settings]));
  return Promise.all(
    items.map(async (item, place): Promise<FieldErrors> => {
      const before = found.get(digits[place]!);
      return before ? changedSpeechErrors(deps, before, patchSettings(before, item)) : {};
    }),
  );
}

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
  const known = await lockAudioFiles(
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
