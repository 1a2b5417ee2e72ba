import {
  createUserAnyAccount,
  listUsersAnyAccount,
  refusalOfUser,
  resetFactorsAnyAccount,
  setPasswordAnyAccount,
} from '../../domains/accounts/index.ts';
import { readConfig } from '../../platform/config.ts';
import { directOf } from '../../platform/db/connect/connection.ts';
import { type Db, makeDb, makePool } from '../../platform/db/connect/pool.ts';
import { makeLog } from '../../platform/log.ts';
import { makePasswords, passwordCosts } from '../../platform/passwords.ts';
import { Complaint, readPassword } from '../terminal.ts';
import { openSource, readVersions } from './own-database.ts';

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
  { account, scope, role, json }: Output & { account?: string; scope?: string[]; role?: string },
): Promise<void> {
  if (account && !/^[0-9a-f-]{36}$/i.test(account))
    throw new Complaint(`"${account}" is not the uuid of an account.`, 2);
  if (role !== undefined && scope) throw new Complaint('Give either --role or --scope.', 2);
  const scopes = scope ?? ['read', 'write'];
  const password = await readChecked(username, scopes);
  const user = await onDatabase(env, (db) =>
    createUserAnyAccount(db, makePasswords(passwordCosts), {
      username,
      password,
      scopes,
      ...(role !== undefined && { role }),
      ...(account && { account }),
    }),
  );
  if (user === 'no account') throw new Complaint(account ? `There is no account ${account}.` : 'There is no account.');
  if (user === 'no role') throw new Complaint(`There is no role "${role}".`);
  if (!user) throw new Complaint(`Somebody is called "${username}" already.`);
  const made = { username, account: user.account_id, role: user.role, scopes: user.scopes };
  console.log(json ? JSON.stringify(made) : `Made ${username}.`);
}

async function readChecked(username: string, scopes: string[] = []): Promise<string> {
  const password = await readPassword();
  const refusal = refusalOfUser(username, password, scopes);
  if (refusal) throw new Complaint(refusal, 2);
  return password;
}
