import { type SelectQueryBuilder, sql } from 'kysely';
import { type Static, Type } from 'typebox';
import { ApiError } from '../errors.ts';
import type { Db } from './pool.ts';

/** Query parameters every list takes. */
export const pageQuery = {
  page_size: Type.Integer({ minimum: 1, maximum: 200, default: 25, description: 'Rows per page.' }),
  cursor: Type.Optional(
    Type.String({ maxLength: 300, description: 'Opaque position, taken from `next` or `previous`.' }),
  ),
  ordering: Type.Enum(['-created', 'created'], { default: '-created', description: 'Newest or oldest first.' }),
  created_after: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only what was created at or after this moment.' }),
  ),
  created_before: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only what was created before this moment.' }),
  ),
};
const PageQuery = Type.Object(pageQuery);
export type PageQuery = Static<typeof PageQuery>;

export interface Page<Row> {
  count: number;
  next: string | null;
  previous: string | null;
  rows: Row[];
}

interface Cursor {
  /** true: rows that follow the key in the list's order; false: rows before it */
  forward: boolean;
  key: string;
}

const exactCountLimit = 10_000;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * One page of a list, positioned by the key of the last row seen (keyset), so page 10,000 costs what page 1 costs and rows
 * inserted meanwhile move nothing. `rows` must select `uuid` and be filtered, but neither ordered nor limited; `uuid` names the column.
 */
export async function keysetPage<Row extends { uuid: string }>(
  db: Db,
  // biome-ignore lint/suspicious/noExplicitAny: any tables, joined in any way, have pages
  rows: SelectQueryBuilder<any, any, Row>,
  query: PageQuery,
  columns: { uuid: string; created: string } = { uuid: 'uuid', created: 'created' },
): Promise<Page<Row>> {
  const uuid = sql.ref<string>(columns.uuid);
  const created = sql.ref<string>(columns.created);
  let filtered = rows;
  // The range of ids lets PostgreSQL skip whole partitions; the exact comparison is with the database's own clock, which
  // may differ from the id's by the time it took to get there.
  if (query.created_after) {
    filtered = filtered
      .where(uuid, '>=', sql<string>`uuid_floor(${query.created_after}::timestamptz - interval '5 minutes')`)
      .where(created, '>=', query.created_after);
  }
  if (query.created_before) {
    filtered = filtered
      .where(uuid, '<', sql<string>`uuid_floor(${query.created_before}::timestamptz + interval '5 minutes')`)
      .where(created, '<', query.created_before);
  }
  const cursor = readCursor(query.cursor);
  const forward = cursor?.forward ?? true;
  const ascending = (query.ordering === 'created') === forward;
  let window = filtered.orderBy(uuid, ascending ? 'asc' : 'desc').limit(query.page_size + 1);
  if (cursor) window = window.where(uuid, ascending ? '>' : '<', cursor.key);

  const [found, count] = await Promise.all([window.execute(), countUpTo(db, filtered)]);
  const hasMore = found.length > query.page_size;
  const page = found.slice(0, query.page_size);
  if (!forward) page.reverse();
  const first = page[0]?.uuid;
  const last = page.at(-1)?.uuid;
  return {
    count,
    rows: page,
    next: last && (forward ? hasMore : true) ? writeCursor({ forward: true, key: last }) : null,
    previous: first && (forward ? cursor !== undefined : hasMore) ? writeCursor({ forward: false, key: first }) : null,
  };
}

/** Exact up to 10,000 rows; above, the planner's estimate, so that the cost of a count has a ceiling. */
// biome-ignore lint/suspicious/noExplicitAny: a count does not care which tables or columns the query has
async function countUpTo(db: Db, filtered: SelectQueryBuilder<any, any, any>): Promise<number> {
  const bare = filtered.clearSelect().select(sql`1`.as('one'));
  const counted = await db
    .selectFrom(bare.limit(exactCountLimit + 1).as('counted'))
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (counted.count <= exactCountLimit) return counted.count;
  const [plan] = await bare.explain<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>('json');
  return Math.max(counted.count, plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0);
}

const writeCursor = ({ forward, key }: Cursor): string =>
  Buffer.from(`${forward ? 'n' : 'p'}${key}`).toString('base64url');

function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  const plain = Buffer.from(text, 'base64url').toString('latin1');
  const key = plain.slice(1);
  if (!/^[np]/.test(plain) || !uuidPattern.test(key)) throw new ApiError('invalid_page');
  return { forward: plain[0] === 'n', key };
}
