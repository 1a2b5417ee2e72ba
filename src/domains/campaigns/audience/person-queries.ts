import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { Person } from '../feed/placeholders.ts';

/** A contact, as a campaign needs it. */
export interface Contact extends Person {
  uuid: string;
  digits: string;
  time_zone: string;
}

const contactsOf = (db: Db, accountId: string) =>
  db
    .selectFrom('contacts')
    .select(['uuid', 'phone_number', 'digits', 'name', 'language_code', 'time_zone', 'attributes'])
    .where('account_id', '=', accountId)
    .$castTo<Contact>();

export const findContacts = (db: Db, accountId: string, uuids: string[]): Promise<Contact[]> =>
  contactsOf(db, accountId).where('uuid', '=', sql<string>`any (${uuids}::uuid[])`).execute();

export const findContactByDigits = (db: Db, accountId: string, digits: string): Promise<Contact | undefined> =>
  contactsOf(db, accountId).where('digits', '=', digits).executeTakeFirst();
