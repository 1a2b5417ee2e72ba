import { type RawBuilder, sql } from 'kysely';
import { Type } from 'typebox';
import type { Db } from '../../platform/db/connect/pool.ts';
import { allows, type Principal } from '../../platform/http/route.ts';
import { isUuid } from '../../platform/ids.ts';
import { type SoughtDigits, soughtDigits } from '../../platform/phone.ts';

/** How every list is searched that people look through (decision 46). */
export const searchQuery = {
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Any part of a name, a number as people write it, or a whole uuid. One or two characters find how words begin. Names of contacts count for tokens that may read contacts.',
    }),
  ),
};

/** What somebody looks for, read once. */
export interface Sought {
  accountId: string;
  text: string;
  /** It is the id of something. */
  uuid: string | undefined;
  /** It may be a number, or a part of one. */
  number: SoughtDigits | undefined;
  /** Digits of people whose name or number fits. */
  people: string[];
}

/** Where to look for it in the rows of a list. */
export interface SoughtIn {
  /** The column with the id, and others that hold ids. */
  ids: (string | RawBuilder<string>)[];
  /** Columns with the digits of people and of the account’s own numbers. */
  numbers?: (string | RawBuilder<string>)[];
  /** A text that `search_terms` has an index of: the column of the account, and the expression of the index. */
  indexed?: { account: string; text: RawBuilder<string>; hasDigits?: boolean };
  /** A text of lists that are short. */
  plain?: RawBuilder<string>;
}

/** Reads what somebody looks for, and finds the people whom it may mean. Undefined: they look for nothing. */
export async function seek(
  db: Db,
  { accountId, country, scopes }: Pick<Principal, 'accountId' | 'country' | 'scopes'>,
  search: string | undefined,
): Promise<Sought | undefined> {
  const text = search?.trim() ?? '';
  if (text === '') return undefined;
  const uuid = isUuid(text) ? text.toLowerCase() : undefined;
  const number = uuid === undefined ? soughtDigits(text, country) : undefined;
  const mayName = allows(scopes, 'contacts:read');
  const people =
    uuid === undefined
      ? await findPeople(db, accountId, { words: number?.part ?? text, number: number !== undefined, mayName })
      : [];
  return { accountId, text, uuid, number, people };
}

/** A query together with what it looks for, as lists take it. */
export const withSought = async <Q extends { search?: string }>(db: Db, principal: Principal, query: Q) => ({
  ...query,
  sought: await seek(db, principal, query.search),
});

const columnOf = (column: string | RawBuilder<string>): RawBuilder<string> =>
  typeof column === 'string' ? sql.ref(column) : column;

/** Whether a row is one that somebody looks for. */
export function isSought({ accountId, text, uuid, number, people }: Sought, where: SoughtIn): RawBuilder<boolean> {
  const any: RawBuilder<boolean>[] = [];
  if (uuid !== undefined) for (const column of where.ids) any.push(sql`${columnOf(column)} = ${uuid}`);
  for (const column of where.numbers ?? []) {
    const digits = columnOf(column);
    if (people.length > 0) any.push(sql`${digits} = any(${sql.val(people)}::text[])`);
    for (const prefix of number?.prefixes ?? []) any.push(sql`${digits} like ${`${prefix}%`}`);
  }
  if (where.indexed) {
    const { account, text: words, hasDigits } = where.indexed;
    const sought = (hasDigits && number?.part) || text;
    any.push(
      sql`(search_terms(${sql.ref(account)}, ${words}) @> search_query(${accountId}::uuid, ${sought}) and search_holds(${words}, ${sought}))`,
    );
  }
  if (where.plain) any.push(sql`search_holds(${where.plain}, ${text})`);
  return any.length === 0 ? sql`false` : sql`(${sql.join(any, sql` or `)})`;
}

/** More people than these are not looked for in other lists: whoever gets so many writes a longer name. */
const mostPeople = 1000;

interface Wanted {
  words: string;
  /** The words are digits, and so may be those of callers. */
  number: boolean;
  /** Whether contacts may be read. */
  mayName: boolean;
}

/**
 * The digits of people whose name or number has these words. The database has a function for it (migration 79), as the people are in
 * tables of domains that stand above this one.
 */
async function findPeople(db: Db, accountId: string, { words, number, mayName }: Wanted): Promise<string[]> {
  const { rows } = await sql<{ digits: string }>`
    select digits from search_people(${accountId}::uuid, ${words}, ${number}, ${mayName}, ${mostPeople}) as digits`.execute(
    db,
  );
  return rows.map(({ digits }) => digits);
}
