import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { notFound, ValidationError } from '../../../platform/errors.ts';
import { addTallies, readTallies } from '../../tallies/index.ts';
import { appendEvents } from '../../timeline/index.ts';
import { tallySteps, tellAll } from '../change.ts';
import { digitsOf } from '../check.ts';
import { ensureContacts, findByDigits, findCountry, lockContacts } from '../queries.ts';
import {
  addToLists,
  findList,
  insertList,
  type ListRow,
  type ListStep,
  markDeleted,
  membersTally,
  removeAll,
  removeFromLists,
  updateList,
} from './queries.ts';
import type { ListPatch, ListWrite, Members, MembersToRemove } from './schemas.ts';

export type CountedList = ListRow & { contact_count: number };

/** Lists with the number of those who are on them. */
export async function withCounts(db: Db, accountId: string, lists: ListRow[]): Promise<CountedList[]> {
  const uuids = lists.map(({ uuid }) => uuid);
  const tallies = await readTallies(db, accountId, uuids);
  return lists.map((list) => ({ ...list, contact_count: tallies.get(list.uuid)?.get(membersTally) ?? 0 }));
}

export async function getList(db: Db, accountId: string, uuid: string): Promise<CountedList> {
  const [list] = await withCounts(db, accountId, [await requireList(db, accountId, uuid)]);
  return list!;
}

export async function requireList(db: Db, accountId: string, uuid: string): Promise<ListRow> {
  const list = await findList(db, accountId, uuid);
  if (!list) throw notFound();
  return list;
}

export const createList = (deps: Deps, accountId: string, request: ListWrite): Promise<CountedList> =>
  inTransaction(deps.db, async (db) => {
    const list = await insertList(db, accountId, { description: '', ...request });
    if (!list) throw taken();
    await tellOfList(db, accountId, list.uuid, 'list.created', { name: list.name });
    return { ...list, contact_count: 0 };
  });

export const changeList = (deps: Deps, accountId: string, uuid: string, request: ListPatch): Promise<CountedList> =>
  inTransaction(deps.db, async (db) => {
    const before = await requireList(db, accountId, uuid);
    const changed = Object.entries(request).filter(([field, value]) => before[field as keyof ListPatch] !== value);
    if (changed.length > 0) {
      const list = await updateList(db, accountId, uuid, request).catch(takenIfNotUnique);
      if (!list) throw notFound();
      await tellOfList(db, accountId, uuid, 'list.updated', Object.fromEntries(changed));
    }
    return getList(db, accountId, uuid);
  });

export const deleteList = (deps: Deps, accountId: string, uuid: string): Promise<void> =>
  inTransaction(deps.db, async (db) => {
    if (!(await markDeleted(db, accountId, uuid))) throw notFound();
    await tellOfList(db, accountId, uuid, 'list.deleted', {});
  });

/** Puts people on a list, by contact or by number; numbers that are nobody's make contacts. */
export const addMembers = (deps: Deps, accountId: string, list: string, request: Members) =>
  inTransaction(deps.db, async (db) => {
    await requireList(db, accountId, list);
    const { uuids, created } = await peopleToAdd(db, accountId, request);
    await tellAll(db, accountId, created, 'contact.created', { source: 'LIST' });
    const added = await note(
      db,
      accountId,
      list,
      'list.contacts_added',
      await addToLists(db, accountId, [list], uuids),
    );
    return { added, created: created.length, ...(await countOf(db, accountId, list)) };
  });

/** Takes people off a list. Numbers and contacts that are not on it, or do not exist, are passed over. */
export const removeMembers = (deps: Deps, accountId: string, list: string, request: MembersToRemove) =>
  inTransaction(deps.db, async (db) => {
    await requireList(db, accountId, list);
    const steps = request.all
      ? await removeAll(db, accountId, list)
      : await removeFromLists(db, accountId, [list], await peopleToRemove(db, accountId, request));
    const removed = await note(db, accountId, list, 'list.contacts_removed', steps);
    return { removed, ...(await countOf(db, accountId, list)) };
  });

async function peopleToAdd(db: Db, accountId: string, request: Members) {
  requireOne(request, ['contacts', 'phone_numbers']);
  if (request.phone_numbers) {
    return ensureContacts(db, accountId, await digitsOfAll(db, accountId, request.phone_numbers));
  }
  const wanted = request.contacts!.map((uuid) => uuid.toLowerCase());
  const uuids = await lockContacts(db, accountId, wanted);
  const found = new Set(uuids);
  const missing = wanted.find((uuid) => !found.has(uuid));
  if (missing) throw new ValidationError({ contacts: [`Invalid pk "${missing}" - object does not exist.`] });
  return { uuids, created: [] };
}

async function peopleToRemove(db: Db, accountId: string, request: MembersToRemove): Promise<string[]> {
  requireOne(request, ['contacts', 'phone_numbers', 'all']);
  if (request.contacts) return request.contacts;
  return findByDigits(db, accountId, [...(await digitsOfAll(db, accountId, request.phone_numbers ?? [])).keys()]);
}

/** Numbers by their digits: each once. */
async function digitsOfAll(db: Db, accountId: string, numbers: string[]): Promise<Map<string, string>> {
  const country = await findCountry(db, accountId);
  const found = new Map<string, string>();
  for (const number of numbers) {
    const digits = digitsOf(number, country);
    if (digits === undefined)
      throw new ValidationError({ phone_numbers: [`"${number}" is not a valid phone number.`] });
    if (!found.has(digits)) found.set(digits, number);
  }
  return found;
}

function requireOne(request: object, names: string[]): void {
  const given = names.filter((name) => name in request && request[name as keyof typeof request] !== false);
  if (given.length !== 1) throw new ValidationError({ non_field_errors: [`Enter one of ${names.join(', ')}.`] });
}

/** Counts what really changed, and tells it if anything did. */
async function note(db: Db, accountId: string, list: string, kind: string, steps: ListStep[]): Promise<number> {
  const count = steps.reduce((sum, step) => sum + step.count, 0);
  if (count === 0) return 0;
  await tellOfList(db, accountId, list, kind, { count });
  await addTallies(db, tallySteps(accountId, steps, kind === 'list.contacts_added' ? 1 : -1));
  return count;
}

async function countOf(db: Db, accountId: string, list: string) {
  return { contact_count: (await readTallies(db, accountId, [list])).get(list)?.get(membersTally) ?? 0 };
}

const tellOfList = (db: Db, accountId: string, subject: string, kind: string, data: Record<string, unknown>) =>
  appendEvents(db, [{ accountId, subjectType: 'list', subject, kind, data }]);

const taken = () => new ValidationError({ name: ['A list with this name already exists.'] });

function takenIfNotUnique(error: { code?: string }): never {
  throw error.code === '23505' ? taken() : error;
}
