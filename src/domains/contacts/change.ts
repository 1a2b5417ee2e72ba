import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/connect/pool.ts';
import { notFound, ValidationError } from '../../platform/errors.ts';
import { eachOnce, type ManyResult, manyResult } from '../../platform/http/openapi/models.ts';
import { addTallies } from '../tallies/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { checkDigits, checkLanguage, checkTimeZone, sentences } from './check.ts';
import {
  addToLists,
  findLists,
  type ListStep,
  membersTally,
  removeFromAllLists,
  removeFromLists,
} from './lists/queries.ts';
import {
  type ContactFields,
  type ContactRow,
  findByDigits,
  findContact,
  findCountry,
  insertContact,
  lockContact,
  removeContacts,
  updateContact,
} from './queries.ts';
import type { ContactPatch, ContactWrite } from './schemas.ts';

const defaults = { name: '', language_code: '', time_zone: '', attributes: {} };

export async function createContact(deps: Deps, accountId: string, request: ContactWrite): Promise<ContactRow> {
  checkTimeZone(request.time_zone);
  checkLanguage(request.language_code);
  return inTransaction(deps.db, async (db) => {
    const { lists = [], ...fields } = request;
    await checkLists(db, accountId, lists);
    const digits = checkDigits(fields.phone_number, await findCountry(db, accountId));
    const uuid = await insertContact(db, accountId, { ...defaults, ...fields, digits });
    if (!uuid) throw taken();
    await tell(db, accountId, uuid, 'contact.created', { source: 'API' });
    await addTallies(db, tallySteps(accountId, await addToLists(db, accountId, lists, [uuid]), 1));
    return (await findContact(db, accountId, uuid))!;
  });
}

/** All that may be written of it. */
export const replaceContact = (deps: Deps, accountId: string, uuid: string, request: ContactWrite) =>
  changeContact(deps, accountId, uuid, { ...defaults, ...request });

/** Writes the fields that the request names; the others stay. A contact that is already as requested is not touched. */
export async function changeContact(
  deps: Deps,
  accountId: string,
  uuid: string,
  request: ContactPatch,
): Promise<ContactRow> {
  checkTimeZone(request.time_zone);
  checkLanguage(request.language_code);
  return inTransaction(deps.db, async (db) => {
    const before = await lockContact(db, accountId, uuid);
    if (!before) throw notFound();
    const { lists, ...fields } = request;
    await checkLists(db, accountId, lists ?? []);
    const after = { ...before, ...fields };
    if (fields.phone_number !== undefined && fields.phone_number !== before.phone_number) {
      after.digits = checkDigits(fields.phone_number, await findCountry(db, accountId));
    }
    const changed = written.filter((name) => !isSame(before[name], after[name]));
    if (changed.length > 0) await updateContact(db, accountId, uuid, fieldsOf(after)).catch(takenIfNotUnique);
    const steps = lists ? await moveToLists(db, accountId, before, lists) : [];
    const all = [...changed, ...(steps.length > 0 ? ['lists'] : [])];
    if (all.length === 0) return before;
    await tell(db, accountId, uuid, 'contact.updated', { source: 'API', changed: all });
    await addTallies(db, steps);
    return (await findContact(db, accountId, uuid))!;
  });
}

export async function deleteContact(deps: Deps, accountId: string, uuid: string): Promise<void> {
  const { done } = await deleteContacts(deps, accountId, [uuid]);
  if (done === 0) throw notFound();
}

/** Deletes those that are there. */
export const deleteContacts = (deps: Deps, accountId: string, uuids: string[]): Promise<ManyResult> =>
  inTransaction(deps.db, async (db) => {
    const asked = eachOnce(uuids);
    const gone = await removeContacts(db, accountId, asked);
    if (gone.length > 0) {
      const left = await removeFromAllLists(db, accountId, gone);
      await tellAll(db, accountId, gone, 'contact.deleted', {});
      await addTallies(db, tallySteps(accountId, left, -1));
    }
    return manyResult(asked, gone);
  });

const written = ['phone_number', 'name', 'language_code', 'time_zone', 'attributes'] as const;

const fieldsOf = ({ phone_number, digits, name, language_code, time_zone, attributes }: ContactRow): ContactFields => ({
  phone_number,
  digits,
  name,
  language_code,
  time_zone,
  attributes,
});

/** Attributes are the same in any order. */
const isSame = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other);
const sorted = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value);

async function moveToLists(db: Db, accountId: string, { uuid, lists }: ContactRow, wanted: string[]) {
  const ids = wanted.map((list) => list.toLowerCase());
  const gone = lists.filter((list) => !ids.includes(list));
  const left = await removeFromLists(db, accountId, gone, [uuid]);
  const joined = await addToLists(db, accountId, ids, [uuid]);
  return [...tallySteps(accountId, left, -1), ...tallySteps(accountId, joined, 1)];
}

export const tallySteps = (accountId: string, steps: ListStep[], sign: 1 | -1) =>
  steps.map(({ list, count }) => ({ accountId, subject: list, name: membersTally, count: sign * count }));

async function checkLists(db: Db, accountId: string, lists: string[]): Promise<void> {
  if (lists.length === 0) return;
  const found = new Set((await findLists(db, accountId, lists)).map(({ uuid }) => uuid));
  const missing = lists.find((list) => !found.has(list.toLowerCase()));
  if (missing) throw new ValidationError({ lists: [`Invalid pk "${missing}" - object does not exist.`] });
}

const taken = () => new ValidationError({ phone_number: [sentences.taken] });

/** The unique key decides, also between two who ask at once. */
function takenIfNotUnique(error: { code?: string }): never {
  throw error.code === '23505' ? taken() : error;
}

/** Events about a contact say nothing about the person, because the timeline outlives them. */
export const tellAll = (db: Db, accountId: string, subjects: string[], kind: string, data: Record<string, unknown>) =>
  appendEvents(
    db,
    subjects.map((subject) => ({ accountId, subjectType: 'contact', subject, kind, data })),
  );

const tell = (db: Db, accountId: string, subject: string, kind: string, data: Record<string, unknown>) =>
  tellAll(db, accountId, [subject], kind, data);

/** Removes the contact of a person, and takes them off all lists. */
export async function eraseContact(deps: Deps, accountId: string, digits: string): Promise<number> {
  const uuids = await findByDigits(deps.db, accountId, [digits]);
  for (const uuid of uuids) await deleteContact(deps, accountId, uuid);
  return uuids.length;
}
