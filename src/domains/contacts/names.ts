import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { readPhone } from '../../platform/phone.ts';

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
