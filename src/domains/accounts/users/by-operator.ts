/** Users as whoever runs the server sees them, without a token: for the command line. */
import { sql } from 'kysely';
import { forgetTopic } from '../../../platform/caches.ts';
import { notify } from '../../../platform/db/connect/listener.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { insertAuditEntries } from '../../../platform/http/audit.ts';
import { bodyValidator } from '../../../platform/http/validation/index.ts';
import type { Passwords } from '../../../platform/passwords.ts';
import { deleteFactors } from '../factors/queries.ts';
import { findBuiltIn } from '../roles/built-in.ts';
import { keepOwnRole } from '../roles/queries.ts';
import { forgetGuessesOf } from '../sessions/guesses.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import {
  deleteSignInsOfUser,
  deleteTokens,
  findUserAnyAccount,
  insertUser,
  listTokensMadeBy,
  lockUser,
  type UserRow,
  updateUser,
} from './queries.ts';
import { refusalOfPassword, UserCreate } from './schemas.ts';

export interface ListedUser {
  username: string;
  account: string;
  account_name: string;
  scopes: string[];
  last_sign_in: string | null;
}

export async function listUsersAnyAccount(db: Db): Promise<ListedUser[]> {
  const { rows } = await sql<ListedUser>`
    select username, accounts.uuid as account, accounts.name as account_name, scopes, last_sign_in
    from users join accounts on accounts.uuid = users.account_id
    order by accounts.uuid, users.uuid`.execute(db);
  return rows;
}

/** Why a name or a password cannot be had, in a sentence; undefined: they can. */
export function refusalOf(username: string, password: string, scopes: string[] = []): string | undefined {
  // The one that only a command line on the server can give.
  const usual = scopes.filter((scope) => scope !== 'operator');
  const errors = findErrors({ username, password, ...(usual.length > 0 && { scopes: usual }) });
  const [field, sentences] = Object.entries(errors ?? {})[0] ?? [];
  if (field) return `${field}: ${firstSentence(sentences)}`;
  return refusalOfPassword(username, password);
}
const findErrors = bodyValidator(UserCreate);

/** Of lists, the errors of each item are by its place. */
const firstSentence = (errors: unknown): string =>
  typeof errors === 'object' && errors !== null ? firstSentence(Object.values(errors)[0]) : String(errors);

/** Sets a password, and ends all sessions and tokens of the user. undefined: nobody has that name. */
export async function setPasswordAnyAccount(
  db: Db,
  passwords: Passwords,
  { username, password }: { username: string; password: string },
): Promise<UserRow | undefined> {
  const known = await findUserAnyAccount(db, username);
  if (!known) return undefined;
  const { account_id: accountId, uuid } = known;
  const password_hash = await passwords.hash(password);
  return inTransaction(db, async (db) => {
    if (!(await lockUser(db, accountId, uuid))) return undefined;
    const user = await updateUser(db, accountId, uuid, { password_hash, must_change_password: false });
    await deleteSignInsOfUser(db, accountId, uuid);
    const made = await listTokensMadeBy(db, accountId, uuid);
    await deleteTokens(
      db,
      accountId,
      made.map((token) => token.uuid),
    );
    await forgetGuessesOf(db, username);
    await audit(db, user, {
      operationId: 'updateUser',
      summary: 'Set a password on the command line',
      method: 'PATCH',
    });
    await notify(db, forgetTopic, tokenCache);
    return user;
  });
}

/** Takes the second factors of somebody away, and ends their sessions. undefined: nobody has that name. */
export async function resetFactorsAnyAccount(db: Db, username: string): Promise<UserRow | undefined> {
  const known = await findUserAnyAccount(db, username);
  if (!known) return undefined;
  const { account_id: accountId, uuid: userId } = known;
  return inTransaction(db, async (db) => {
    const user = await lockUser(db, accountId, userId);
    if (!user) return undefined;
    await deleteFactors(db, { accountId, userId });
    await deleteSignInsOfUser(db, accountId, userId);
    await audit(db, user, {
      operationId: 'resetUserFactors',
      summary: 'Remove second factors on the command line',
      method: 'DELETE',
    });
    await notify(db, forgetTopic, tokenCache);
    return user;
  });
}

export interface UserOfOperator {
  username: string;
  password: string;
  scopes: string[];
  /** In place of scopes: a built-in role, or one of the account's own. */
  role?: string;
  /** The first account, which is the operator's, unless given. */
  account?: string;
}

/** Makes a user. undefined: somebody has that name; otherwise what there is not. */
export async function createUserAnyAccount(
  db: Db,
  passwords: Passwords,
  { username, password, scopes, role: wanted, account }: UserOfOperator,
): Promise<UserRow | undefined | 'no account' | 'no role'> {
  let accounts = db.selectFrom('accounts').select('uuid').orderBy('uuid').limit(1);
  if (account) accounts = accounts.where('uuid', '=', account);
  const found = await accounts.executeTakeFirst();
  if (!found) return 'no account';
  const password_hash = await passwords.hash(password);
  return inTransaction(db, async (db) => {
    const role = wanted === undefined ? undefined : await takeRole(db, found.uuid, wanted);
    if (wanted !== undefined && !role) return 'no role';
    const rights = role ? { role: role.name, scopes: role.scopes } : { scopes };
    const user = await insertUser(db, found.uuid, { username, password_hash, ...rights });
    if (user)
      await audit(db, user, { operationId: 'createUser', summary: 'Make a user on the command line', method: 'POST' });
    return user;
  });
}

const takeRole = async (db: Db, accountId: string, name: string) =>
  findBuiltIn(name) ?? (await keepOwnRole(db, accountId, name));

/** Whoever has the database can do this; the account sees that somebody did. */
const audit = (
  db: Db,
  user: UserRow,
  operation: { operationId: string; summary: string; method: 'DELETE' | 'PATCH' | 'POST' },
): Promise<void> =>
  insertAuditEntries(db, [
    {
      accountId: user.account_id,
      actor: { type: 'USER', uuid: nobody, name: 'Command line of the server' },
      operation,
      request: { url: `/v2/users/${user.uuid}/`, ip: '', id: 'command-line' },
      status: operation.method === 'POST' ? 201 : 200,
    },
  ]);
const nobody = '00000000-0000-0000-0000-000000000000';
