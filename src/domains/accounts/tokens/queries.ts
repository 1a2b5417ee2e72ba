import { type Selectable, sql } from 'kysely';
import { type Db, runPrepared } from '../../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { Tokens } from '../../../platform/db/types.ts';
import { newId } from '../../../platform/ids.ts';

export type TokenRow = Selectable<Tokens>;
/** With the name of the user or of the token that made it; null: nobody did, or it was before this was noted. */
export type ListedToken = TokenRow & { created_by: string | null };

/** API: shown once to whoever made it. SESSION: in the cookie of a browser. */
export const tokenKinds = ['API', 'SESSION'] as const;
export type TokenKind = (typeof tokenKinds)[number];

export interface NewToken {
  name: string;
  hash: string;
  scopes: string[];
  expires: string | null;
  kind?: TokenKind;
  /** Who signed in for it. */
  user_uuid?: string | null;
  /** The token that it was made from, and ends with. */
  parent?: string | null;
  /** The user who made it; it ends with them. */
  creator?: string | null;
  /** Whether they gave a second factor. */
  second_factor?: boolean;
  purpose?: string;
  /** From where alone it may be used; null: from everywhere. */
  allowed_networks?: string[] | null;
  resources?: string[] | null;
}

export const insertToken = (db: Db, accountId: string, token: NewToken): Promise<TokenRow> =>
  db
    .insertInto('tokens')
    .values({ account_id: accountId, uuid: newId(), ...token })
    .returningAll()
    .executeTakeFirstOrThrow();

export function listTokens(db: Db, accountId: string, query: PageQuery & { kind?: TokenKind }) {
  const rows = db
    .selectFrom('tokens')
    .selectAll()
    .select(
      sql<string | null>`coalesce(
        (select username from users
          where users.account_id = tokens.account_id and users.uuid = coalesce(tokens.creator, tokens.user_uuid)),
        (select name from tokens as parent where parent.account_id = tokens.account_id and parent.uuid = tokens.parent))`.as(
        'created_by',
      ),
    )
    .where('account_id', '=', accountId);
  return keysetPage(db, query.kind ? rows.where('kind', '=', query.kind) : rows, query);
}

export const findToken = (db: Db, accountId: string, uuid: string): Promise<TokenRow | undefined> =>
  db.selectFrom('tokens').selectAll().where('account_id', '=', accountId).where('uuid', '=', uuid).executeTakeFirst();

/** Deletes a token, and with it all that were made from it. */
export async function deleteToken(db: Db, accountId: string, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tokens')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Whom a token belongs to; the one look-up that begins without knowing the account. */
export async function findTokenAnyAccount(db: Db, hash: string) {
  const token = db
    .selectFrom('tokens')
    .innerJoin('accounts', 'accounts.uuid', 'tokens.account_id')
    .leftJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'tokens.account_id').onRef('users.uuid', '=', 'tokens.user_uuid'),
    )
    .leftJoin('tokens as parent', (join) =>
      join.onRef('parent.account_id', '=', 'tokens.account_id').onRef('parent.uuid', '=', 'tokens.parent'),
    )
    .select(['tokens.uuid', 'tokens.account_id', 'tokens.name', 'tokens.scopes', 'tokens.expires', 'tokens.kind'])
    .select(['tokens.user_uuid', 'users.username', 'tokens.parent', 'parent.name as parent_name', 'accounts.limits'])
    .select(['accounts.default_country', 'accounts.status', 'accounts.require_second_factor'])
    .select(['tokens.created', 'tokens.authenticated', 'tokens.second_factor'])
    .select('accounts.audit_reads')
    .select('accounts.redact_content')
    .select(['accounts.session_days', 'accounts.session_idle_minutes'])
    .select(['tokens.last_used', 'tokens.allowed_networks', 'tokens.resources'])
    .where('tokens.hash', '=', hash);
  const [found] = await runPrepared(db, 'tokens.find-any-account', token);
  return found;
}
export type KnownToken = NonNullable<Awaited<ReturnType<typeof findTokenAnyAccount>>>;

/** Keeps a token from being revoked until the transaction is over; false: it is gone. */
export async function lockToken(db: Db, accountId: string, uuid: string): Promise<boolean> {
  const row = await db
    .selectFrom('tokens')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** A token as whoever holds it is told of it. */
export const findSession = (db: Db, accountId: string, uuid: string) =>
  db
    .selectFrom('tokens')
    .innerJoin('accounts', 'accounts.uuid', 'tokens.account_id')
    .leftJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'tokens.account_id').onRef('users.uuid', '=', 'tokens.user_uuid'),
    )
    .select(['tokens.account_id', 'accounts.name as account_name', 'tokens.user_uuid', 'users.username', 'users.role'])
    .select([
      'users.full_name',
      'users.language_code',
      'users.time_zone as user_time_zone',
      'users.must_change_password',
    ])
    .select(['tokens.scopes', 'tokens.expires', 'accounts.time_zone', 'accounts.default_country'])
    .select(['tokens.second_factor', 'accounts.require_second_factor'])
    .leftJoin('sso_sessions', (join) =>
      join
        .onRef('sso_sessions.account_id', '=', 'tokens.account_id')
        .onRef('sso_sessions.token_uuid', '=', 'tokens.uuid'),
    )
    .leftJoin('identity_providers', (join) =>
      join
        .onRef('identity_providers.account_id', '=', 'sso_sessions.account_id')
        .onRef('identity_providers.uuid', '=', 'sso_sessions.provider_uuid'),
    )
    .select(['identity_providers.uuid as provider_uuid', 'identity_providers.name as provider_name'])
    .where('tokens.account_id', '=', accountId)
    .where('tokens.uuid', '=', uuid)
    .executeTakeFirst();

/** Ends a session; what is no session stays. */
export const deleteSession = (db: Db, accountId: string, uuid: string) =>
  db
    .deleteFrom('tokens')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where('kind', '=', 'SESSION')
    .execute();

/** Removes the sessions that are over. */
export const purgeSessionsAnyAccount = (db: Db) =>
  db
    .deleteFrom('tokens')
    .where('kind', '=', 'SESSION')
    .where('expires', '<', sql<string>`now() - interval '1 day'`)
    .execute();
