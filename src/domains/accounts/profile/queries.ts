import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { TokenRow } from '../tokens/queries.ts';
import type { UserRow } from '../users/queries.ts';

export type ProfileChange = Partial<Pick<UserRow, 'full_name' | 'language_code' | 'time_zone'>> & {
  /** Only what changes of it. */
  notifications?: object;
};

export const updateProfile = (
  db: Db,
  accountId: string,
  uuid: string,
  { notifications, ...change }: ProfileChange,
): Promise<UserRow> =>
  db
    .updateTable('users')
    // A change of nothing is one of the key to itself: SQL has no empty SET.
    .set({
      uuid,
      ...change,
      ...(notifications && { notifications: sql`notifications || ${JSON.stringify(notifications)}::jsonb` }),
    })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();

/** More than anybody is signed in with; the oldest are left out. */
const mostSessions = 200;

/** What somebody is signed in with: browsers, and tokens that programs got for the password. */
export const listSessionsOf = (db: Db, accountId: string, userUuid: string, now: string): Promise<TokenRow[]> =>
  db
    .selectFrom('tokens')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('user_uuid', '=', userUuid)
    .where('expires', '>', now)
    .orderBy('uuid', 'desc')
    .limit(mostSessions)
    .execute();

export async function deleteSessionOf(db: Db, accountId: string, userUuid: string, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tokens')
    .where('account_id', '=', accountId)
    .where('user_uuid', '=', userUuid)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends all that somebody is signed in with, but for one. */
export const deleteOtherSessionsOf = (db: Db, accountId: string, userUuid: string, kept: string) =>
  db
    .deleteFrom('tokens')
    .where('account_id', '=', accountId)
    .where('user_uuid', '=', userUuid)
    .where('uuid', '!=', kept)
    .execute();
