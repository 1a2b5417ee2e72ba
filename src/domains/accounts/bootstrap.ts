import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { newId } from '../../platform/ids.ts';
import type { Passwords } from '../../platform/passwords.ts';
import type { FirstSecrets } from '../../platform/process/parts.ts';
import { newToken, tokenHash } from '../../platform/secrets.ts';
import { insertToken } from './tokens/queries.ts';

/** What to show the person who started the server; secrets only when they were made just now. */
export type Bootstrapped = FirstSecrets;

const everything = ['read', 'write', 'operator'];
const bootstrapLock = 7_265_003;

/**
 * Makes the first account, which is the operator's, its user and its token when there is none, and ensures that `wantedToken`, if given, is a full
 * token of the first account. Safe to run in several processes at once.
 */
export const bootstrap = (db: Db, passwords: Passwords, wantedToken: string): Promise<Bootstrapped> =>
  db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${bootstrapLock})`.execute(db);
    const first = await db.selectFrom('accounts').select('uuid').orderBy('uuid').limit(1).executeTakeFirst();
    if (first) {
      const isNew = wantedToken !== '' && (await ensureToken(db, first.uuid, wantedToken));
      return isNew ? { token: wantedToken } : {};
    }
    const accountId = newId();
    const user = { username: 'admin', password: randomBytes(12).toString('base64url') };
    const token = wantedToken || newToken();
    await db.insertInto('accounts').values({ uuid: accountId, name: 'First account', operator: true }).execute();
    await db
      .insertInto('users')
      .values({
        account_id: accountId,
        uuid: newId(),
        username: user.username,
        password_hash: await passwords.hashRandom(user.password),
        scopes: everything,
        role: 'owner',
        must_change_password: true,
      })
      .execute();
    await ensureToken(db, accountId, token);
    return { token, user };
  });

/** Answers whether it was made just now. */
async function ensureToken(db: Db, accountId: string, token: string): Promise<boolean> {
  const hash = tokenHash(token);
  const known = await db
    .selectFrom('tokens')
    .select(['account_id', 'uuid'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (!known) {
    await insertToken(db, accountId, { name: 'First token', hash, scopes: everything, expires: null });
    return true;
  }
  // A token that moves to another account leaves behind what was tied to it there.
  const isMoving = known.account_id !== accountId;
  if (isMoving) {
    await db.deleteFrom('tokens').where('account_id', '=', known.account_id).where('parent', '=', known.uuid).execute();
  }
  await db
    .updateTable('tokens')
    .set({
      account_id: accountId,
      scopes: everything,
      expires: null,
      kind: 'API',
      user_uuid: null,
      parent: null,
      creator: null,
    })
    .where('account_id', '=', known.account_id)
    .where('uuid', '=', known.uuid)
    .execute();
  return false;
}
