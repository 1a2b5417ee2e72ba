import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { Invitations } from '../../../platform/db/types.ts';
import { newId } from '../../../platform/ids.ts';

export type InvitationRow = Selectable<Invitations>;
export type NewInvitation = Pick<InvitationRow, 'hash' | 'created_by' | 'expires'> &
  Partial<Pick<InvitationRow, 'user_uuid' | 'email' | 'role'>>;

export const insertInvitation = (db: Db, accountId: string, invitation: NewInvitation): Promise<InvitationRow> =>
  db
    .insertInto('invitations')
    .values({ account_id: accountId, uuid: newId(), ...invitation })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Invitations of new users; resets are between two people. */
export const listInvitations = (db: Db, accountId: string, query: PageQuery) =>
  keysetPage(
    db,
    db.selectFrom('invitations').selectAll().where('account_id', '=', accountId).where('user_uuid', 'is', null),
    query,
  );

/** By the secret of its link, whoever's it is. */
export const findInvitationAnyAccount = (db: Db, hash: string) =>
  db
    .selectFrom('invitations')
    .innerJoin('accounts', 'accounts.uuid', 'invitations.account_id')
    .leftJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'invitations.account_id').onRef('users.uuid', '=', 'invitations.user_uuid'),
    )
    .selectAll('invitations')
    .select(['accounts.name as account_name', 'accounts.status as account_status', 'users.username'])
    .where('invitations.hash', '=', hash)
    .executeTakeFirst();
export type KnownInvitation = NonNullable<Awaited<ReturnType<typeof findInvitationAnyAccount>>>;

/** Uses it up; false: somebody else did, or revoked it. */
export async function acceptInvitation(db: Db, { account_id, uuid }: KnownInvitation, now: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set({ accepted: now })
    .where('account_id', '=', account_id)
    .where('uuid', '=', uuid)
    .where('accepted', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const findInvitation = (db: Db, accountId: string, uuid: string): Promise<InvitationRow | undefined> =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where('user_uuid', 'is', null)
    .executeTakeFirst();

export const deleteInvitation = (db: Db, accountId: string, uuid: string) =>
  db.deleteFrom('invitations').where('account_id', '=', accountId).where('uuid', '=', uuid).execute();

/** A newer reset of a user takes the place of older ones. */
export const deleteResetsOf = (db: Db, accountId: string, userUuid: string) =>
  db.deleteFrom('invitations').where('account_id', '=', accountId).where('user_uuid', '=', userUuid).execute();

/** Whether somebody is still invited with a role. */
export async function isRoleInvited(db: Db, accountId: string, role: string, now: string): Promise<boolean> {
  const row = await db
    .selectFrom('invitations')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where('role', '=', role)
    .where('accepted', 'is', null)
    .where('expires', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export const renameRoleOfInvitations = (db: Db, accountId: string, role: string, name: string) =>
  db
    .updateTable('invitations')
    .set({ role: name })
    .where('account_id', '=', accountId)
    .where('role', '=', role)
    .execute();

/** Removes what was used or is over for a month. */
export const purgeInvitationsAnyAccount = (db: Db) =>
  db.deleteFrom('invitations').where('expires', '<', sql<string>`now() - interval '30 days'`).execute();
