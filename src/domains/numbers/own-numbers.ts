import { type Selectable, sql } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import { type Db, prepared } from '../../platform/db/connect/pool.ts';
import type { Numbers } from '../../platform/db/types.ts';

/** A number that an account has. */
export interface OwnNumber {
  account_id: string;
  digits: string;
  capabilities: string[];
  features: string[];
  keywords: string[];
  webhooks: string[];
}

const find = prepared<OwnNumber>(
  'numbers.find-own',
  `select number.account_id, number.digits, number.capabilities, number.features, number.keywords, number.webhooks
  from unnest($1::uuid[], $2::text[]) as wanted (account_id, digits)
  join numbers as number on number.account_id = wanted.account_id and number.digits = wanted.digits
  where number.released_at is null`,
);

/** Which of these numbers the accounts have, by account and digits. */
export async function findOwnNumbers(
  db: Db,
  wanted: { accountId: string; digits: string }[],
): Promise<(accountId: string, digits: string) => OwnNumber | undefined> {
  const rows = await find(db, [
    uuidArray(wanted.map(({ accountId }) => accountId)),
    wanted.map(({ digits }) => digits),
  ]);
  const known = new Map(rows.map((row) => [row.account_id + row.digits, row]));
  return (accountId, digits) => known.get(accountId + digits);
}

const having = prepared<{ account_id: string }>(
  'numbers.accounts-having',
  `select account_id from unnest($1::uuid[]) as account (account_id)
  where exists (select 1 from numbers where numbers.account_id = account.account_id and released_at is null)`,
);

/** Those of these accounts that have any number: one look into the index for each. */
export async function findAccountsWithNumbers(db: Db, accountIds: string[]): Promise<Set<string>> {
  const rows = await having(db, [uuidArray(accountIds)]);
  return new Set(rows.map(({ account_id }) => account_id));
}

/** What the numbers that an account has use of other rooms. */

/** Whether a number names this webhook. */
export async function isWebhookOfNumber(db: Db, accountId: string, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('numbers')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where('released_at', 'is', null)
    .where(sql<boolean>`webhooks @> array[${name}]`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Numbers that name an audio file, by the file's uuid: at most so many of each. */
export async function numbersPlaying(
  db: Db,
  accountId: string,
  files: { uuid: string; name: string }[],
  most: number,
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ uuid: string; numbers: string[] }>`
    select file.uuid, array(
      select number from numbers
      where account_id = ${accountId} and released_at is null
        and whisper_file || record_call_file || keep_number_file || voicemail_lite_file || capture_digits_file <> ''
        and number_audio_files(account_id,
          array[whisper_file, record_call_file, keep_number_file, voicemail_lite_file, capture_digits_file])
        && array[${accountId}::text || ' ' || file.uuid, ${accountId}::text || ' ' || file.name]
      limit ${most}) as numbers
    from unnest(${files.map(({ uuid }) => uuid)}::text[], ${files.map(({ name }) => name)}::text[]) as file (uuid, name)`.execute(
    db,
  );
  return new Map(rows.map(({ uuid, numbers }) => [uuid, numbers.toSorted()]));
}

const columns = [
  'account_id',
  'uuid',
  'digits',
  'number',
  'carrier',
  'capabilities',
  'features',
  'webhooks',
  'target_number',
  'tts',
  'tts_language',
  'whisper_file',
  'call_tracking',
  'record_call_file',
  'keep_number_file',
  'voicemail_lite_file',
  'capture_digits_file',
] as const;

/** A number with all that concerns a call to it. */
export type CalledNumber = Pick<Selectable<Numbers>, (typeof columns)[number]>;

const active = (db: Db) => db.selectFrom('numbers').select(columns).where('released_at', 'is', null);

const findCalled = prepared<CalledNumber>(
  'numbers.called',
  `select ${columns.join(', ')} from numbers where digits = any ($1::text[]) and released_at is null`,
);

/** Whose numbers they are, by their digits, whoever that may be: what a call knows is what was dialled. */
export const findCalledAnyAccount = async (db: Db, digits: string[]): Promise<Map<string, CalledNumber>> =>
  new Map((await findCalled(db, [digits])).map((number) => [number.digits, number]));

export const findCalledNumber = (db: Db, accountId: string, digits: string): Promise<CalledNumber | undefined> =>
  active(db).where('account_id', '=', accountId).where('digits', '=', digits).executeTakeFirst();

const mark = prepared(
  'numbers.mark-called',
  `update numbers set last_called = $3
  where account_id = any ($1::uuid[]) and uuid = any ($2::uuid[])
    and (last_called is null or last_called < $3::timestamptz - interval '1 second')`,
);

/** A busy number is written once a second: whoever calls it in between does not have to wait for the row. */
export const markCalled = async (db: Db, numbers: Pick<CalledNumber, 'account_id' | 'uuid'>[], at: Date) =>
  mark(db, [
    uuidArray([...new Set(numbers.map(({ account_id }) => account_id))]),
    uuidArray(numbers.map(({ uuid }) => uuid)),
    at.toISOString(),
  ]);
