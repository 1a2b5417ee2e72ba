import type { Selectable } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import { type Db, prepared } from '../../platform/db/connect/pool.ts';
import type { Numbers } from '../../platform/db/types.ts';

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

const find = prepared<CalledNumber>(
  'numbers.called',
  `select ${columns.join(', ')} from numbers where digits = any ($1::text[]) and released_at is null`,
);

/** Whose numbers they are, by their digits, whoever that may be: what a call knows is what was dialled. */
export const findCalledAnyAccount = async (db: Db, digits: string[]): Promise<Map<string, CalledNumber>> =>
  new Map((await find(db, [digits])).map((number) => [number.digits, number]));

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
