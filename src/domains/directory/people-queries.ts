import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';

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
export async function findPeople(db: Db, accountId: string, { words, number, mayName }: Wanted): Promise<string[]> {
  const { rows } = await sql<{ digits: string }>`
    select digits from search_people(${accountId}::uuid, ${words}, ${number}, ${mayName}, ${mostPeople}) as digits`.execute(
    db,
  );
  return rows.map(({ digits }) => digits);
}
