import { csvLine } from '../../platform/csv/write.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { keysetChunks } from '../../platform/db/page.ts';
import { seek } from '../directory/index.ts';
import { contactColumns, contactsWhere, findCountry } from './queries.ts';
import { type ContactQuery, presentContact } from './schemas.ts';

/** The columns of the file: those that an import reads again, and those that it passes over. */
export const columns = [
  'phone_number',
  'name',
  'language_code',
  'time_zone',
  'attributes',
  'lists',
  'uuid',
  'created',
  'modified',
] as const;

export const sample = [
  ['phone_number', 'name', 'language_code', 'time_zone', 'city', 'member_since'],
  ['+44 7700 900141', 'Ana Lovelace', 'en_GB', 'Europe/London', 'London', '2024'],
  ['+49 30 901820', 'Gauß, Carl', 'de', 'Europe/Berlin', 'Göttingen', '2023'],
]
  .map(csvLine)
  .join('');

export type ContactFilters = Partial<Omit<ContactQuery, 'page_size' | 'cursor'>>;

/** Every contact that the filters let through, as the list presents it, some at a time. */
export async function* contactRows(db: Db, accountId: string, filters: ContactFilters) {
  const country = await findCountry(db, accountId);
  // Whoever exports contacts may read them.
  const sought = await seek(db, { accountId, country, scopes: ['contacts:read'] }, filters.search);
  const rows = contactsWhere(db, accountId, { ...filters, sought }, country);
  const ordered = { ...filters, ordering: filters.ordering ?? '-created' };
  for await (const chunk of keysetChunks(rows, ordered, contactColumns(filters))) {
    yield chunk.map((row) => {
      const contact = presentContact(row);
      return { ...contact, lists: contact.lists.join(' ') };
    });
  }
}
