import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { keysetPage } from '../../platform/db/page.ts';
import type { Contacts } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import { readPhone } from '../../platform/phone.ts';
import { findAccount } from '../accounts/index.ts';
import type { Sought } from '../directory/index.ts';
import { filterContacts } from './filter.ts';
import type { AttributeValue, ContactQuery } from './schemas.ts';

export interface ContactRow extends Omit<Selectable<Contacts>, 'account_id' | 'attributes'> {
  attributes: Record<string, AttributeValue>;
  /** Those that are there still, the oldest first. */
  lists: string[];
}

/** What is written of a contact. */
export type ContactFields = Pick<
  ContactRow,
  'phone_number' | 'digits' | 'name' | 'language_code' | 'time_zone' | 'attributes'
>;

const columns = [
  'contacts.uuid',
  'contacts.phone_number',
  'contacts.digits',
  'contacts.name',
  'contacts.language_code',
  'contacts.time_zone',
  'contacts.attributes',
  'contacts.created',
  'contacts.modified',
] as const;

const listsOfContact = (accountId: string) =>
  sql<string[]>`array(
  select lists.uuid from list_members join lists on lists.account_id = list_members.account_id and lists.uuid = list_members.list
  where list_members.account_id = ${accountId} and lists.account_id = ${accountId} and list_members.contact = contacts.uuid
    and list_members.removed_at is null and lists.deleted_at is null
  order by lists.uuid)`.as('lists');

const contactsOf = (db: Db, accountId: string) =>
  db
    .selectFrom('contacts')
    .select(columns)
    .select(listsOfContact(accountId))
    .where('contacts.account_id', '=', accountId)
    .$castTo<ContactRow>();

export const findContact = (db: Db, accountId: string, uuid: string): Promise<ContactRow | undefined> =>
  contactsOf(db, accountId).where('contacts.uuid', '=', uuid).executeTakeFirst();

/** Locks a contact until the transaction ends. Whoever changes memberships begins here, so that nobody waits in a circle. */
export const lockContact = (db: Db, accountId: string, uuid: string): Promise<ContactRow | undefined> =>
  contactsOf(db, accountId).where('contacts.uuid', '=', uuid).forUpdate().executeTakeFirst();

/** Undefined when somebody has the number. */
export async function insertContact(db: Db, accountId: string, fields: ContactFields): Promise<string | undefined> {
  const row = await db
    .insertInto('contacts')
    .values({ account_id: accountId, uuid: newId(), ...fields, attributes: JSON.stringify(fields.attributes) })
    .onConflict((conflict) => conflict.columns(['account_id', 'digits']).doNothing())
    .returning('uuid')
    .executeTakeFirst();
  return row?.uuid;
}

export async function updateContact(db: Db, accountId: string, uuid: string, fields: ContactFields): Promise<void> {
  await db
    .updateTable('contacts')
    .set({ ...fields, attributes: JSON.stringify(fields.attributes), modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .execute();
}

/** Which of them were there. */
export async function removeContacts(db: Db, accountId: string, uuids: string[]): Promise<string[]> {
  const rows = await db
    .deleteFrom('contacts')
    .where('account_id', '=', accountId)
    .where('uuid', 'in', uuids)
    .returning('uuid')
    .execute();
  return rows.map(({ uuid }) => uuid);
}

export type ContactFilter = Partial<ContactQuery> & { sought?: Sought | undefined };

/** Contacts that the filters let through. */
export const contactsWhere = (db: Db, accountId: string, filters: ContactFilter, country: string) =>
  filterContacts(contactsOf(db, accountId), accountId, filters, country);

export const listContacts = (
  db: Db,
  accountId: string,
  query: ContactQuery & { sought?: Sought | undefined },
  country: string,
) => keysetPage(db, contactsWhere(db, accountId, query, country), query, contactColumns(query));

/** The columns to order by. Where memberships are read, their key, whose index has the order. */
export const contactColumns = ({ list }: { list?: string }) => ({
  uuid: list ? 'list_members.contact' : 'contacts.uuid',
  created: 'contacts.created',
  orderings: { name: sql<string>`lower(contacts.name)` },
});

/** The country of numbers that are written without one. */
export const findCountry = async (db: Db, accountId: string): Promise<string> =>
  (await findAccount(db, accountId)).default_country;

/** Makes contacts for numbers that have none; answers the digits of all by contact, locked against deletion. */
export async function ensureContacts(
  db: Db,
  accountId: string,
  numbers: ReadonlyMap<string, string>,
): Promise<{ uuids: string[]; created: string[] }> {
  // In one order, so that two callers with the same numbers wait for each other one way only.
  const digits = [...numbers.keys()].sort();
  const made = await sql<{ uuid: string }>`
    insert into contacts (account_id, uuid, phone_number, digits)
    select ${accountId}, * from unnest(${digits.map(() => newId())}::uuid[],
      ${digits.map((each) => numbers.get(each)!)}::text[], ${digits}::text[])
    on conflict (account_id, digits) do nothing
    returning uuid`.execute(db);
  const all = await sql<{ uuid: string }>`
    select uuid from contacts where account_id = ${accountId} and digits = any(${digits}::text[])
    order by uuid for key share`.execute(db);
  return { uuids: all.rows.map(({ uuid }) => uuid), created: made.rows.map(({ uuid }) => uuid) };
}

/** The contacts among these that exist, locked against deletion. */
export async function lockContacts(db: Db, accountId: string, uuids: string[]): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid from contacts where account_id = ${accountId} and uuid = any(${uuids}::uuid[])
    order by uuid for key share`.execute(db);
  return rows.map(({ uuid }) => uuid);
}

export async function findByDigits(db: Db, accountId: string, digits: string[]): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid from contacts where account_id = ${accountId} and digits = any(${digits}::text[])`.execute(db);
  return rows.map(({ uuid }) => uuid);
}

interface NamedNumber {
  number: string;
  contact: string;
  name: string;
}

/** Who is behind these numbers, in the order in which they were asked for. */
export async function findNames(db: Db, accountId: string, numbers: string[], country: string): Promise<NamedNumber[]> {
  const asked = [...new Set(numbers)].map((number) => ({ number, digits: readPhone(number, country) }));
  const { rows } = await sql<{ digits: string; uuid: string; name: string }>`
    select digits, uuid, name from contacts
    where account_id = ${accountId} and name <> '' and digits = any(${asked.map(({ digits }) => digits)}::text[])`.execute(
    db,
  );
  const byDigits = new Map(rows.map((row) => [row.digits, row]));
  return asked.flatMap(({ number, digits }) => {
    const found = byDigits.get(digits);
    return found ? [{ number, contact: found.uuid, name: found.name }] : [];
  });
}
