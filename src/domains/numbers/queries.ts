import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { keysetPage } from '../../platform/db/page.ts';
import type { NumberPool, Numbers } from '../../platform/db/types.ts';
import { phoneDigits, readPhone, soughtDigits } from '../../platform/phone.ts';
import type { NumberFilter, Settings } from './schemas.ts';

const columns = [
  'uuid',
  'digits',
  'number',
  'country',
  'target_number',
  'features',
  'webhooks',
  'meta',
  'tts',
  'tts_language',
  'whisper_file',
  'call_tracking',
  'record_call_file',
  'keep_number_file',
  'voicemail_lite_file',
  'capture_digits_file',
  'keywords',
  'issued_date',
  'billing_anniversary',
  'last_called',
] as const;

export type NumberRow = Pick<Selectable<Numbers>, (typeof columns)[number]>;
export type PoolRow = Pick<
  Selectable<NumberPool>,
  'uuid' | 'number' | 'country' | 'prefix' | 'capabilities' | 'carrier'
>;

/** How a row of settings reads in JSON, which carries lists of lists where `unnest` would flatten them. */
const settingsInJson = sql`target_number text, features text[], webhooks text[], meta json, tts text, tts_language text,
  whisper_file text, call_tracking text, record_call_file text, keep_number_file text, voicemail_lite_file text, capture_digits_file text,
  keywords text[], words text[], target_digits text`;
const settingColumns = sql`target_number, features, webhooks, meta, tts, tts_language, whisper_file, call_tracking, record_call_file,
  keep_number_file, voicemail_lite_file, capture_digits_file, keywords, words, target_digits`;

const activeNumbers = (db: Db, accountId: string) =>
  db.selectFrom('numbers').select(columns).where('account_id', '=', accountId).where('released_at', 'is', null);

export const findNumber = (db: Db, accountId: string, number: string): Promise<NumberRow | undefined> =>
  activeNumbers(db, accountId).where('digits', '=', phoneDigits(number)).executeTakeFirst();

const amongThese = (db: Db, accountId: string, digits: string[]) =>
  activeNumbers(db, accountId).where('digits', '=', sql<string>`any(${sql.val(digits)}::text[])`);

/** The account's numbers among these. */
export const findNumbers = (db: Db, accountId: string, digits: string[]): Promise<NumberRow[]> =>
  amongThese(db, accountId, digits).execute();

/** The account's numbers among these, locked until the transaction ends. In one order, so that two callers cannot deadlock. */
export const lockNumbers = (db: Db, accountId: string, digits: string[]): Promise<NumberRow[]> =>
  amongThese(db, accountId, digits).orderBy('uuid').forUpdate().execute();

export function listNumbers(db: Db, accountId: string, filter: NumberFilter, country: string) {
  let rows = activeNumbers(db, accountId);
  if (filter.country) rows = rows.where('country', '=', filter.country);
  if (filter.prefix) rows = rows.where(nationalBeginsWith(filter.prefix));
  if (filter.target_number) rows = rows.where('target_digits', '=', phoneDigits(filter.target_number));
  const named = [filter.capability, filter.feature].filter((name) => name !== undefined);
  const words = [...soughtWords(filter.q ?? ''), ...searchWords(filter.search ?? '', country)];
  if (named.length > 0 || words.length > 0) {
    // The account's mark keeps the search of the index within the account.
    rows = rows.where(sql<boolean>`terms @@ ${allOf([`A=${accountId}`, ...named], '')}::tsquery`);
  }
  if (words.length > 0) rows = rows.where(sql<boolean>`terms @@ ${allOf(words, ':*')}::tsquery`);
  return keysetPage(db, rows, filter, { uuid: 'uuid', created: 'issued_date', orderings: { number: sql`digits` } });
}

const allOf = (terms: string[], suffix: string): string =>
  terms.map((term) => `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${suffix}`).join(' & ');

/** A number in any notation is one word, without the zeros that are dialled within a country only. */
const soughtWords = (q: string): string[] =>
  /^[\d+\s.()[\]-]*\d[\d\s.()[\]-]*$/.test(q) ? [phoneDigits(q).replace(/^0+(?=\d)/, '')] : wordsOf(q);

const searchWords = (search: string, country: string): string[] => {
  const number = soughtDigits(search, country);
  return number ? [number.part] : wordsOf(search);
};

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

/** With what settings are searched and compared by. */
const withWords = <T extends Settings>(settings: T, country: string) => ({
  ...settings,
  target_digits: settings.target_number === '' ? '' : readPhone(settings.target_number, country),
  words: wordsOf([settings.call_tracking, ...settings.keywords].join(' ')),
});

/** A number taken from the pool, and what its new owner wants of it. */
export interface NewNumber
  extends Settings,
    Pick<Selectable<NumberPool>, 'digits' | 'national' | 'country' | 'capabilities' | 'carrier'> {
  uuid: string;
}

export async function insertNumbers(
  db: Db,
  accountId: string,
  numbers: NewNumber[],
  country: string,
): Promise<NumberRow[]> {
  const { rows } = await sql<NumberRow>`
    insert into numbers (account_id, uuid, digits, national, country, capabilities, carrier, ${settingColumns})
    select ${accountId}, uuid, digits, national, country, capabilities, carrier, ${settingColumns}
    from json_to_recordset(${JSON.stringify(numbers.map((number) => withWords(number, country)))}) as new (
      uuid uuid, digits text, national text, country text, capabilities text[], carrier text, ${settingsInJson})
    returning ${sql.join(columns.map((column) => sql.ref(column)))}`.execute(db);
  return rows;
}

/** Writes the settings of several numbers, all of them in full. */
export async function updateSettings(
  db: Db,
  accountId: string,
  changes: ({ uuid: string } & Settings)[],
  country: string,
): Promise<NumberRow[]> {
  const { rows } = await sql<NumberRow>`
    update numbers set (${settingColumns}, modified) = (
      select ${settingColumns}, now() from json_to_recordset(${JSON.stringify(changes.map((change) => withWords(change, country)))}) as new (uuid uuid, ${settingsInJson})
      where new.uuid = numbers.uuid)
    where account_id = ${accountId} and uuid = any(${sql.val(changes.map((change) => change.uuid))}::uuid[])
    returning ${sql.join(columns.map((column) => sql.ref(column)))}`.execute(db);
  return rows;
}

/** Takes a number from the account; undefined when it has none of that name. */
export const markReleased = (db: Db, accountId: string, number: string) =>
  db
    .updateTable('numbers')
    .set({ released_at: sql`now()`, modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('digits', '=', phoneDigits(number))
    .where('released_at', 'is', null)
    .returning(['uuid', 'digits', 'number', 'webhooks'])
    .executeTakeFirst();

/**
 * Whether a row's `national` begins with the wanted prefix. The zeros in front are dialled within a country only and are not
 * compared. A range, which an index serves and `like` with a parameter does not always: `:` follows `9` in the C collation.
 */
export function nationalBeginsWith(wanted: string): RawBuilder<boolean> {
  const prefix = wanted.replace(/^0+/, '');
  return sql<boolean>`(national >= ${prefix} and national < ${`${prefix}:`})`;
}
