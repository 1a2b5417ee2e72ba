import { uuidArray } from '../../../platform/db/arrays.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { newId } from '../../../platform/ids.ts';
import { firstEventsText } from '../../timeline/index.ts';
import type { ImportedContact } from './row.ts';

/** What became of a batch; `joined`: those who were not on the list. */
export interface Written {
  created: number;
  updated: string[];
  joined: number;
}

const given = `rows from (unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]),
  jsonb_array_elements($8::jsonb)) as given (uuid, phone_number, digits, name, language_code, time_zone, attributes)`;

/** Whether a row says anything new of a contact. What it leaves empty says nothing. */
const isNews = (row: string): string => `(${row}.name not in ('', known.name)
  or ${row}.language_code not in ('', known.language_code) or ${row}.time_zone not in ('', known.time_zone)
  or not known.attributes @> ${row}.attributes)`;

/**
 * One statement does everything, and only counts come back. The first event of a contact has the contact's id. The arrays are
 * sorted by digits, which keeps two imports from waiting for each other in a circle.
 */
const write = prepared<{ created: number; updated: string[] | null; joined: number }>(
  'contacts.write',
  `with written as (
    insert into contacts as known (account_id, uuid, phone_number, digits, name, language_code, time_zone, attributes)
    select $1::uuid, given.* from ${given}
    on conflict (account_id, digits) do update set
      name = coalesce(nullif(excluded.name, ''), known.name),
      language_code = coalesce(nullif(excluded.language_code, ''), known.language_code),
      time_zone = coalesce(nullif(excluded.time_zone, ''), known.time_zone),
      attributes = known.attributes || excluded.attributes,
      modified = excluded.modified
    where ${isNews('excluded')}
    returning account_id, uuid, xmax = 0 as is_new
  ), told as (${firstEventsText('written where is_new', {
    subjectType: 'contact',
    kind: 'contact.created',
    data: { source: 'IMPORT' },
  })}
  ), joined as (
    insert into list_members (account_id, list, contact)
    select account_id, $9::uuid, uuid from written where $9::uuid is not null
    on conflict (account_id, list, contact) do update set removed_at = null where list_members.removed_at is not null
    returning 1
  )
  select count(*) filter (where is_new) as created, array_agg(uuid) filter (where not is_new) as updated,
    (select count(*) from joined) as joined
  from written`,
);

const widen = prepared(
  'contacts.widen',
  `select set_config('gin_pending_list_limit', '16384', true), set_config('work_mem', '64MB', true)`,
);

/** For this transaction: new terms go into the index of contacts many at a time. */
export async function widenIndexing(db: Db): Promise<void> {
  await widen(db, []);
}

/** Writes contacts, sorted by their digits, each once, and puts them on the list. */
export async function writeContacts(
  db: Db,
  accountId: string,
  contacts: ImportedContact[],
  list: string | null,
): Promise<Written> {
  const [row] = await write(db, [accountId, ...arraysOf(contacts), list]);
  const written = { created: row!.created, updated: row!.updated ?? [], joined: row!.joined };
  const isAll = written.created + written.updated.length === contacts.length;
  // Contacts that the file does not change were not written above, so they have not joined the list yet.
  if (list !== null && !isAll) written.joined += await joinKnown(db, accountId, list, contacts);
  return written;
}

/**
 * Looks up each contact in the list by itself. As `not exists`, PostgreSQL may plan it as a join that reads the whole list for each
 * contact, until it has statistics of a list that has just been filled.
 */
const join = prepared<{ count: number }>(
  'contacts.join',
  `with joined as (
    insert into list_members (account_id, list, contact)
    select known.account_id, $2::uuid, known.uuid from contacts as known
    where known.account_id = $1 and known.digits = any ($3::text[]) and (
      select list_members.removed_at is null from list_members
      where list_members.account_id = $1 and list_members.list = $2 and list_members.contact = known.uuid) is not true
    order by known.uuid
    on conflict (account_id, list, contact) do update set removed_at = null where list_members.removed_at is not null
    returning 1
  )
  select count(*) from joined`,
);

async function joinKnown(db: Db, accountId: string, list: string, contacts: ImportedContact[]): Promise<number> {
  const [row] = await join(db, [accountId, list, uuidArray(contacts.map(({ digits }) => digits))]);
  return row!.count;
}

const compare = prepared<{ known: number; updated: number }>(
  'contacts.compare',
  `select count(*) as known, count(*) filter (where ${isNews('given')}) as updated
  from ${given} join contacts as known on known.account_id = $1 and known.digits = given.digits`,
);

/** Counts what writing these contacts would do, and writes nothing. */
export async function compareContacts(db: Db, accountId: string, contacts: ImportedContact[]) {
  if (contacts.length === 0) return { created: 0, updated: 0 };
  const [row] = await compare(db, [accountId, ...arraysOf(contacts)]);
  return { created: contacts.length - row!.known, updated: row!.updated };
}

const arraysOf = (contacts: ImportedContact[]): string[] => [
  uuidArray(contacts.map(() => newId())),
  textArray(contacts.map(({ phone_number }) => phone_number)),
  // Digits need no more quotes than ids do.
  uuidArray(contacts.map(({ digits }) => digits)),
  textArray(contacts.map(({ name }) => name)),
  textArray(contacts.map(({ language_code }) => language_code)),
  textArray(contacts.map(({ time_zone }) => time_zone)),
  `[${contacts.map(({ attributes }) => attributes).join()}]`,
];

/** In PostgreSQL's text form. Few texts hold what has to be escaped; the others are joined without a copy of each. */
const textArray = (texts: string[]): string => `{"${(texts.some(isOdd) ? texts.map(escaped) : texts).join('","')}"}`;
const isOdd = (text: string): boolean => text.includes('"') || text.includes('\\');
const escaped = (text: string): string => text.replaceAll(/["\\]/g, '\\$&');
