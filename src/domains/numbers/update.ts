import { type Db, inTransaction } from '../../platform/db/connect/pool.ts';
import { type FieldErrors, notFound } from '../../platform/errors.ts';
import { phoneDigits, readPhone } from '../../platform/phone.ts';
import { appendEvents } from '../timeline/index.ts';
import { alone, refuseErrors, repeatErrors, webhookErrors } from './check.ts';
import { lockNumbers, type NumberRow, updateSettings } from './queries.ts';
import type { NumberUpdate, NumberUpdateItem, Settings } from './schemas.ts';
import { changedSettings, completeSettings, patchSettings } from './settings.ts';

/** What becomes of a number's settings: PUT replaces them all, PATCH changes those it names. */
export type Change = (before: Settings, given: NumberUpdate) => Settings;
export const replace: Change = (_before, given) => completeSettings(given);
export const patch: Change = patchSettings;

/** Updates several numbers, each named by its item: all of them, or none and an error. */
export const updateNumbers = (
  db: Db,
  accountId: string,
  items: NumberUpdateItem[],
  change: Change,
  country: string,
): Promise<NumberRow[]> =>
  inTransaction(db, async (db) => {
    const digits = items.map((item) => readPhone(item.number, country));
    const found = new Map((await lockNumbers(db, accountId, digits)).map((row) => [row.digits, row]));
    const absences = digits.map((each): FieldErrors => (found.has(each) ? {} : { number: ['Not found.'] }));
    refuseErrors(absences, repeatErrors(digits), await webhookErrors(db, accountId, items));

    const changes = items.map((item, place) => {
      const row = found.get(digits[place]!)!;
      const before = row as NumberRow & Settings;
      const settings = change(before, item);
      return { row, settings, changed: changedSettings(before, settings) };
    });
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

/** Updates one number; not having it is a 404 here, and no field's error. */
export const updateNumber = (
  db: Db,
  accountId: string,
  number: string,
  given: NumberUpdate,
  change: Change,
  country: string,
) =>
  inTransaction(db, async (db) => {
    if ((await lockNumbers(db, accountId, [phoneDigits(number)])).length === 0) throw notFound();
    return alone(updateNumbers(db, accountId, [{ ...given, number }], change, country));
  });
