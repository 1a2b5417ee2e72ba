import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { newToken } from '../../../platform/secrets.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { keepAnOwner } from '../roles/rights.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import {
  deleteUserRow,
  findUserAnyAccount,
  hasOtherUsers,
  insertUser,
  lockUser,
  type UserRow,
} from '../users/queries.ts';
import { ScimError } from './protocol.ts';
import { updateScimUser } from './queries.ts';
import { readUser, type UserFields } from './resources.ts';
import { endSignIns, rightsOf } from './roles.ts';

/** Makes a user without a password, with the role of whoever is in no group. */
export const createScimUser = (deps: Deps, accountId: string, body: unknown): Promise<UserRow> =>
  inTransaction(deps.db, async (db) => {
    const fields = readUser(body);
    if (await findUserAnyAccount(db, fields.username)) throw taken();
    const password_hash = await deps.passwords.hashRandom(newToken());
    const rights = await rightsOf(db, accountId, []);
    const user = await insertUser(db, accountId, {
      username: fields.username,
      password_hash,
      has_password: false,
      ...rights,
    });
    if (!user) throw taken();
    return updateScimUser(db, user, columnsOf(fields, user, timestamp(deps.clock.now())));
  });

/** Changes a user to what `change` makes of them. Who is deactivated is signed out at once; the last owner stays active: 409. */
export async function changeScimUser(
  deps: Deps,
  accountId: string,
  { uuid, change }: { uuid: string; change(db: Db, user: UserRow): Promise<unknown> },
): Promise<UserRow> {
  const row = await inTransaction(deps.db, (db) =>
    keepAnOwner(db, accountId, async () => {
      const user = await takeUser(db, accountId, uuid);
      const fields = readUser(await change(db, user));
      const columns = columnsOf(fields, user, timestamp(deps.clock.now()));
      const changed = await updateScimUser(db, user, columns).catch(takenIfNotUnique);
      if (changed.deactivated !== null && user.deactivated === null) {
        await endSignIns(db, accountId, { uuid, scopes: [] });
      }
      return changed;
    }),
  );
  deps.caches.forget(tokenCache);
  return row;
}

export async function deleteScimUser(deps: Deps, accountId: string, uuid: string): Promise<void> {
  await inTransaction(deps.db, async (db) => {
    const isLast = !(await hasOtherUsers(db, accountId, uuid));
    await takeUser(db, accountId, uuid);
    if (isLast) throw new ScimError(409, 'The last user of an account cannot be deleted.');
    await keepAnOwner(db, accountId, () => deleteUserRow(db, accountId, uuid));
  });
  deps.caches.forget(tokenCache);
}

/** Whoever runs the server is nobody's to change. */
async function takeUser(db: Db, accountId: string, uuid: string): Promise<UserRow> {
  const user = await lockUser(db, accountId, uuid);
  if (!user) throw new ScimError(404, 'There is no such user.');
  if (user.scopes.includes('operator')) throw new ScimError(403, 'Operators of the server cannot be changed by SCIM.');
  return user;
}

const columnsOf = (fields: UserFields, { deactivated }: UserRow, now: string) => ({
  username: fields.username,
  full_name: fields.fullName,
  external_id: fields.externalId,
  scim: JSON.stringify(fields.scim),
  deactivated: fields.isActive ? null : (deactivated ?? now),
});

const taken = () => new ScimError(409, 'A user with that userName already exists.', 'uniqueness');

function takenIfNotUnique(error: { code?: string }): never {
  throw error.code === '23505' ? taken() : error;
}
