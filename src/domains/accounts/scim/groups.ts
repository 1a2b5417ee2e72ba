import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { newId } from '../../../platform/ids.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { tokenCache } from '../tokens/authenticate.ts';
import { ScimError } from './protocol.ts';
import {
  deleteGroupRow,
  type GroupRow,
  insertGroup,
  listKnownUsers,
  listMembersOfGroups,
  lockGroup,
  setMembers,
  updateGroup,
} from './queries.ts';
import { readGroup } from './resources.ts';
import { followGroups } from './roles.ts';
import type { Caller } from './serve.ts';

const mostGroups = 1000;

export const createGroup = (deps: Deps, caller: Caller, body: unknown): Promise<GroupRow> =>
  changing(deps, async (db) => {
    const { accountId } = caller;
    const { displayName: display_name, externalId: external_id, members } = readGroup(body);
    const { count } = await db
      .selectFrom('scim_groups')
      .select(db.fn.countAll<string>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= mostGroups)
      throw new ScimError(400, `An account has at most ${mostGroups} groups.`, 'invalidValue');
    const row = await insertGroup(db, accountId, { uuid: newId(), display_name, external_id });
    if (!row) throw taken();
    await fill(db, { row, members, caller });
    return row;
  });

/** Changes a group to what `change` makes of it. Roles of whoever comes, goes or stays follow, as its name may be another. */
export const changeGroup = (
  deps: Deps,
  caller: Caller,
  { uuid, change }: { uuid: string; change(db: Db, row: GroupRow): Promise<unknown> },
): Promise<GroupRow> =>
  changing(deps, async (db) => {
    const before = await take(db, caller, uuid);
    const { displayName: display_name, externalId: external_id, members } = readGroup(await change(db, before));
    const modified = timestamp(deps.clock.now());
    const row = await updateGroup(db, before, { display_name, external_id, modified }).catch(takenIfNotUnique);
    await fill(db, { row, members, caller, isRenamed: row.display_name !== before.display_name });
    return row;
  });

export const deleteGroup = (deps: Deps, caller: Caller, uuid: string): Promise<void> =>
  changing(deps, async (db) => {
    const row = await take(db, caller, uuid);
    const members = await listMembersOfGroups(db, caller.accountId, [uuid]);
    await deleteGroupRow(db, row);
    const users = members.map(({ user_uuid }) => user_uuid);
    await followGroups(db, { accountId: caller.accountId, users, caller });
  });

async function changing<T>(deps: Deps, work: (db: Db) => Promise<T>): Promise<T> {
  const done = await inTransaction(deps.db, work);
  deps.caches.forget(tokenCache);
  return done;
}

async function take(db: Db, { accountId }: Caller, uuid: string): Promise<GroupRow> {
  const row = await lockGroup(db, accountId, uuid);
  if (!row) throw new ScimError(404, 'There is no such group.');
  return row;
}

async function fill(
  db: Db,
  {
    row,
    members,
    caller,
    isRenamed = false,
  }: { row: GroupRow; members: string[]; caller: Caller; isRenamed?: boolean },
): Promise<void> {
  const { accountId } = caller;
  const before = (await listMembersOfGroups(db, accountId, [row.uuid])).map(({ user_uuid }) => user_uuid);
  const known = new Set(await listKnownUsers(db, accountId, members));
  const unknown = members.find((uuid) => !known.has(uuid));
  if (unknown !== undefined) throw new ScimError(400, `There is no user ${unknown}.`, 'invalidValue');
  const added = members.filter((uuid) => !before.includes(uuid));
  const gone = before.filter((uuid) => !known.has(uuid));
  await setMembers(db, row, { added, gone });
  await followGroups(db, { accountId, users: isRenamed ? [...before, ...added] : [...added, ...gone], caller });
}

const taken = () => new ScimError(409, 'A group with that displayName already exists.', 'uniqueness');

function takenIfNotUnique(error: { code?: string }): never {
  throw error.code === '23505' ? taken() : error;
}
