import type { Deps } from '../../deps.ts';
import type { FieldErrors } from '../../platform/errors.ts';
import { readPhone } from '../../platform/phone.ts';
import { countryOf } from '../accounts/index.ts';
import { speechErrors } from '../audio/index.ts';
import { findNumbers, type NumberRow } from './queries.ts';
import type { NumberCreate, NumberUpdateItem, Settings } from './schemas.ts';
import { completeSettings, patchSettings } from './settings.ts';

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
