import {
  createUserAnyAccount,
  listUsersAnyAccount,
  refusalOfUser,
  resetFactorsAnyAccount,
  setPasswordAnyAccount,
} from '../domains/accounts/index.ts';
import { readConfig } from '../platform/config.ts';
import { directOf } from '../platform/db/connect/connection.ts';
import { type Db, makeDb, makePool } from '../platform/db/connect/pool.ts';
import { makeLog } from '../platform/log.ts';
import { makePasswords, passwordCosts } from '../platform/passwords.ts';
import { Complaint } from './complaint.ts';
import { openSource, readVersions } from './own-database.ts';
import { readPassword } from './password.ts';

type Environment = Record<string, string | undefined>;

interface Output {
  json?: boolean;
}

/** Works on the database itself: whoever has lost the password may have no token either. */
async function onDatabase<T>(env: Environment, work: (db: Db) => Promise<T>): Promise<T> {
  const source = await openSource(readConfig(env), (line) => console.error(line));
  try {
    const { migration } = await readVersions(source.connection);
    if (migration === undefined)
      throw new Complaint('The database holds nothing of Parley yet. Start the server once.');
    const log = makeLog({ level: 'silent', pretty: false });
    const db = makeDb(makePool(directOf(source.connection), log, { size: 1 }));
    return await work(db).finally(() => db.destroy());
  } finally {
    await source.stop();
  }
}

export async function listUsers(env: Environment, { json }: Output): Promise<void> {
  const users = await onDatabase(env, listUsersAnyAccount);
  if (json) return console.log(JSON.stringify(users));
  for (const { username, account_name, scopes, last_sign_in } of users) {
    const last = last_sign_in ? `signed in ${last_sign_in.slice(0, 16)}Z` : 'never signed in';
    console.log(`${username.padEnd(24)}  ${scopes.join(',').padEnd(22)}  ${last.padEnd(27)}  ${account_name}`);
  }
}

export async function setPassword(env: Environment, username: string, { json }: Output): Promise<void> {
  const password = await readChecked(username);
  const user = await onDatabase(env, (db) =>
    setPasswordAnyAccount(db, makePasswords(passwordCosts), { username, password }),
  );
  if (!user) throw new Complaint(`Nobody is called "${username}"; \`parley users list\` shows who is.`);
  console.log(
    json
      ? JSON.stringify({ username: user.username, changed: true })
      : `${user.username} has the new password. Sessions and tokens that came from signing in have ended.`,
  );
}

export async function resetFactors(env: Environment, username: string, { json }: Output): Promise<void> {
  const user = await onDatabase(env, (db) => resetFactorsAnyAccount(db, username));
  if (!user) throw new Complaint(`Nobody is called "${username}"; \`parley users list\` shows who is.`);
  console.log(
    json
      ? JSON.stringify({ username: user.username, reset: true })
      : `${user.username} has no second factor any more. Their sessions have ended.`,
  );
}

export async function createUser(
  env: Environment,
  username: string,
  { account, scope = ['read', 'write'], json }: Output & { account?: string; scope?: string[] },
): Promise<void> {
  if (account && !/^[0-9a-f-]{36}$/i.test(account))
    throw new Complaint(`"${account}" is not the uuid of an account.`, 2);
  const password = await readChecked(username, scope);
  const user = await onDatabase(env, (db) =>
    createUserAnyAccount(db, makePasswords(passwordCosts), {
      username,
      password,
      scopes: scope,
      ...(account && { account }),
    }),
  );
  if (user === null) throw new Complaint(`There is no account ${account}.`);
  if (!user) throw new Complaint(`Somebody is called "${username}" already.`);
  console.log(json ? JSON.stringify({ username, account: user.account_id, scopes: user.scopes }) : `Made ${username}.`);
}

async function readChecked(username: string, scopes: string[] = []): Promise<string> {
  const password = await readPassword();
  const refusal = refusalOfUser(username, password, scopes);
  if (refusal) throw new Complaint(refusal, 2);
  return password;
}
