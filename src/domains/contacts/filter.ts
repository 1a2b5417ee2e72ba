import { type SelectQueryBuilder, sql } from 'kysely';
import type { DB } from '../../platform/db/types.ts';
import { readPhone, searchDigits } from '../../platform/phone.ts';
import { isSought, type Sought, type SoughtIn } from '../directory/index.ts';
import type { ContactRow } from './queries.ts';
import type { ContactQuery } from './schemas.ts';

type Filters = Partial<Pick<ContactQuery, 'phone_number' | 'name' | 'language_code' | 'list' | 'attribute' | 'q'>> & {
  sought?: Sought | undefined;
};
type Rows = SelectQueryBuilder<DB, 'contacts', ContactRow>;

/** Of the index that the searches have in common. */
const terms = sql`contact_terms(contacts.account_id, contacts.name, contacts.attributes)`;

const soughtIn: SoughtIn = {
  ids: ['contacts.uuid'],
  numbers: ['contacts.digits'],
  indexed: {
    account: 'contacts.account_id',
    text: sql`contacts.digits || ' ' || contacts.name`,
    hasDigits: true,
  },
};

export function filterContacts(all: Rows, accountId: string, filters: Filters, country: string): Rows {
  const { phone_number, name, language_code, list, attribute, q, sought } = filters;
  let rows = all;
  if (sought) rows = rows.where(isSought(sought, soughtIn));
  if (phone_number) rows = rows.where('contacts.digits', '=', readPhone(phone_number, country));
  if (language_code) rows = rows.where('contacts.language_code', '=', language_code);
  if (list) rows = onList(rows, list);
  if (name) rows = named(rows, accountId, name);
  for (const [key, value] of pairsOf(attribute ?? [])) rows = withAttribute(rows, accountId, key, value);
  if (q) rows = searched(rows, accountId, q, country);
  return rows;
}

const onList = (rows: Rows, list: string): Rows =>
  rows
    .innerJoin('list_members', (join) =>
      join
        .onRef('list_members.account_id', '=', 'contacts.account_id')
        .onRef('list_members.contact', '=', 'contacts.uuid')
        .on('list_members.list', '=', list)
        .on('list_members.removed_at', 'is', null),
    )
    .innerJoin('lists', (join) =>
      join
        .onRef('lists.account_id', '=', 'contacts.account_id')
        .on('lists.uuid', '=', list)
        .on('lists.deleted_at', 'is', null),
    ) as unknown as Rows;

const named = (rows: Rows, accountId: string, name: string): Rows => {
  const begin = `${name.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return withWords(rows, accountId, name).where(sql<boolean>`lower(contacts.name) like lower(${begin})`);
};

/** A text of spaces alone has no words, and so is no condition. */
const withWords = (rows: Rows, accountId: string, words: string): Rows =>
  words.trim() === '' ? rows : rows.where(sql<boolean>`${terms} @@ contact_words(${accountId}, ${words})`);

function withAttribute(rows: Rows, accountId: string, key: string, value: string): Rows {
  const term = `${accountId.slice(-8)}=${[...`${key}:${value}`].slice(0, 200).join('')}`;
  const quoted = `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  return rows
    .where(sql<boolean>`${terms} @@ ${quoted}::tsquery`)
    .where(sql<boolean>`contacts.attributes ->> ${key} = ${value}`);
}

/**
 * `name:value`, where the name ends at the first colon. A comma separates two pairs; a piece without a colon belongs to the value
 * before it.
 */
function pairsOf(texts: string[]): [string, string][] {
  const whole: string[] = [];
  for (const text of texts) {
    if (text.includes(':') || whole.length === 0) whole.push(text);
    else whole[whole.length - 1] += `,${text}`;
  }
  return whole.map((text) => {
    const [key = '', ...value] = text.split(':');
    return [key, value.join(':')];
  });
}

function searched(rows: Rows, accountId: string, q: string, country: string): Rows {
  if (!/^[\d+\s.()[\]-]*\d[\d\s.()[\]-]*$/.test(q)) return withWords(rows, accountId, q);
  const prefixes = searchDigits(q, country);
  return rows.where((any) => any.or(prefixes.map((digits) => any('contacts.digits', 'like', `${digits}%`))));
}
