import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/connect/pool.ts';
import { type FieldErrors, notFound } from '../../platform/errors.ts';
import { phoneDigits, readPhone } from '../../platform/phone.ts';
import type { Sounds } from '../../platform/speech/sounds.ts';
import { appendEvents } from '../timeline/index.ts';
import { alone, changedSpeechErrors, refuseErrors, repeatErrors, webhookErrors } from './check.ts';
import { lockNumbers, type NumberRow, updateSettings } from './queries.ts';
import type { NumberUpdate, NumberUpdateItem, Settings } from './schemas.ts';
import { changedSettings, completeSettings, patchSettings } from './settings.ts';

/** What becomes of a number's settings: PUT replaces them all, PATCH changes those it names. */
export type Change = (before: Settings, given: NumberUpdate) => Settings;
export const replace: Change = (_before, given) => completeSettings(given);
export const patch: Change = patchSettings;

type Speaking = Pick<Deps, 'db' | 'sounds'>;

/** Updates several numbers, each named by its item: all of them, or none and an error. */
export async function updateNumbers(
  { db, sounds }: Speaking,
  accountId: string,
  items: NumberUpdateItem[],
  change: Change,
  country: string,
): Promise<NumberRow[]> {
  await askLanguages(sounds, items);
  return inTransaction(db, async (db) => {
    const digits = items.map((item) => readPhone(item.number, country));
    const found = new Map((await lockNumbers(db, accountId, digits)).map((row) => [row.digits, row]));
    const absences = digits.map((each): FieldErrors => (found.has(each) ? {} : { number: ['Not found.'] }));
    refuseErrors(absences, repeatErrors(digits), await webhookErrors(db, accountId, items));

    const changes = items.map((item, place) => {
      const before = found.get(digits[place]!)! as NumberRow & Settings;
      const settings = change(before, item);
      return { row: before, settings, changed: changedSettings(before, settings) };
    });
    refuseErrors(await Promise.all(changes.map(({ row, settings }) => changedSpeechErrors({ sounds }, row, settings))));
    const updated = await updateSettings(
      db,
      accountId,
      changes.map(({ row, settings }) => ({ uuid: row.uuid, ...settings })),
      country,
    );
    await appendEvents(
      db,
      changes
        .filter(({ changed }) => changed.length > 0)
        .map(({ row, changed }) => ({
          accountId,
          subjectType: 'number',
          subject: row.uuid,
          kind: 'number.updated',
          data: { number: row.number, changed },
        })),
    );
    const byDigits = new Map(updated.map((row) => [row.digits, row]));
    return digits.map((each) => byDigits.get(each)!);
  });
}

/** Asked once and kept: not first while rows are locked. */
const askLanguages = async (sounds: Sounds, items: NumberUpdate[]): Promise<void> => {
  if (items.some(({ tts, tts_language }) => tts !== undefined || tts_language !== undefined)) await sounds.languages();
};

/** Updates one number; not having it is a 404 here, and no field's error. */
export async function updateNumber(
  { db, sounds }: Speaking,
  accountId: string,
  number: string,
  given: NumberUpdate,
  change: Change,
  country: string,
): Promise<NumberRow> {
  await askLanguages(sounds, [given]);
  return inTransaction(db, async (db) => {
    if ((await lockNumbers(db, accountId, [phoneDigits(number)])).length === 0) throw notFound();
    return alone(updateNumbers({ db, sounds }, accountId, [{ ...given, number }], change, country));
  });
}
