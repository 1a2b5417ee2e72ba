import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';

/** More people than these are not looked for in other lists: whoever gets so many writes a longer name. */
export const mostPeople = 1000;

interface Wanted {
  words: string;
  /** The words are digits, and so may be those of callers. */
  number: boolean;
  /** Whether contacts may be read. */
  mayName: boolean;
}

/**
 * The digits of people whose name or number has these words: contacts, people who wrote, and people who called. Each of the three has
 * an index; of many, those who came last.
 */
export async function findPeople(db: Db, accountId: string, { words, number, mayName }: Wanted): Promise<string[]> {
  const fits = (text: string) =>
    sql`search_terms(account_id, ${sql.raw(text)}) @> search_query(${accountId}::uuid, ${words}) and search_holds(${sql.raw(text)}, ${words})`;
  const named = `digits || ' ' || name`;
  const { rows } = await sql<{ digits: string }>`
    select digits from (
      (select digits from contacts where account_id = ${accountId} and ${mayName || number} and ${fits(named)}
        order by uuid desc limit ${mostPeople})
      union
      (select digits from chat_people where account_id = ${accountId} and ${fits(named)}
        order by last_inbound desc limit ${mostPeople})
      union
      (select caller from number_callers where account_id = ${accountId} and ${number} and ${fits('caller')}
        order by day desc limit ${mostPeople})
    ) as people limit ${mostPeople}`.execute(db);
  return rows.map(({ digits }) => digits);
}
