import { type Selectable, sql } from 'kysely';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { Accounts, Tokens } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import type { AccountPatch } from './schemas.ts';

export type AccountRow = Selectable<Accounts>;
export type TokenRow = Selectable<Tokens>;

export const findAccount = (db: Db, accountId: string): Promise<AccountRow> =>
  db.selectFrom('accounts').selectAll().where('uuid', '=', accountId).executeTakeFirstOrThrow();

export function updateAccount(db: Db, accountId: string, patch: AccountPatch): Promise<AccountRow> {
  const { quiet_hours, limits, ...plain } = patch;
  return db
    .updateTable('accounts')
    .set({
      ...plain,
      ...(quiet_hours !== undefined && { quiet_hours: quiet_hours && JSON.stringify(quiet_hours) }),
      ...(limits !== undefined && { limits: JSON.stringify(limits) }),
      modified: sql`now()`,
    })
    .where('uuid', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export interface NewToken {
  name: string;
  hash: string;
  scopes: string[];
  expires: string | null;
}

export const insertToken = (db: Db, accountId: string, token: NewToken): Promise<TokenRow> =>
  db
    .insertInto('tokens')
    .values({ account_id: accountId, uuid: newId(), ...token })
    .returningAll()
    .executeTakeFirstOrThrow();

export const listTokens = (db: Db, accountId: string, query: PageQuery) =>
  keysetPage(db, db.selectFrom('tokens').selectAll().where('account_id', '=', accountId), query);

/** Deletes a token and returns its hash, or undefined when there is none of that id. */
export async function deleteToken(db: Db, accountId: string, uuid: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('tokens')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returning('hash')
    .executeTakeFirst();
  return row?.hash;
}

/** Whom a token belongs to; the one look-up that begins without knowing the account. */
export const findTokenAnyAccount = (db: Db, hash: string) =>
  db
    .selectFrom('tokens')
    .innerJoin('accounts', 'accounts.uuid', 'tokens.account_id')
    .select(['tokens.uuid', 'tokens.account_id', 'tokens.scopes', 'tokens.expires', 'accounts.limits'])
    .where('tokens.hash', '=', hash)
    .executeTakeFirst();

export const findUserAnyAccount = (db: Db, username: string) =>
  db
    .selectFrom('users')
    .select(['account_id', 'password_hash'])
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .executeTakeFirst();
