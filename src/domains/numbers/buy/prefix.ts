import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a row's `national` begins with the wanted prefix. The zeros in front are dialled within a country only and are not
 * compared. A range, which an index serves and `like` with a parameter does not always: `:` follows `9` in the C collation.
 */
export function nationalBeginsWith(wanted: string): RawBuilder<boolean> {
  const prefix = wanted.replace(/^0+/, '');
  return sql<boolean>`(national >= ${prefix} and national < ${`${prefix}:`})`;
}
