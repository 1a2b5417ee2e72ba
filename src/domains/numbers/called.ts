import type { Selectable } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
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

/** Whose number it is, whoever that may be: what a call knows is what was dialled. */
export const findCalledAnyAccount = (db: Db, digits: string): Promise<CalledNumber | undefined> =>
  active(db).where('digits', '=', digits).executeTakeFirst();

export const findCalledNumber = (db: Db, accountId: string, digits: string): Promise<CalledNumber | undefined> =>
  active(db).where('account_id', '=', accountId).where('digits', '=', digits).executeTakeFirst();

/** A busy number is written once a second: whoever calls it in between does not have to wait for the row. */
export async function markCalled(db: Db, accountId: string, uuid: string, at: Date): Promise<void> {
  await db
    .updateTable('numbers')
    .set({ last_called: at.toISOString() })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where((either) =>
      either.or([
        either('last_called', 'is', null),
        either('last_called', '<', new Date(at.getTime() - 1000).toISOString()),
      ]),
    )
    .execute();
}
