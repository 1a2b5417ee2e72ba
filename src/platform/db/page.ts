import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { type Static, Type } from 'typebox';
import { ApiError } from '../errors.ts';
import { isUuid } from '../ids.ts';
import type { Db } from './connect/pool.ts';

/** A span of time. */
export const spanQuery = {
  created_after: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only what was created at or after this moment.' }),
  ),
  created_before: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only what was created before this moment.' }),
  ),
};

/** Query parameters every list takes. */
export const pageQuery = {
  page_size: Type.Integer({ minimum: 1, maximum: 200, default: 25, description: 'Rows per page.' }),
  cursor: Type.Optional(
    Type.String({ maxLength: 300, description: 'Opaque position, taken from `next` or `previous`.' }),
  ),
  ordering: Type.Enum(['-created', 'created'], { default: '-created', description: 'Newest or oldest first.' }),
  ...spanQuery,
};
const PageQuery = Type.Object(pageQuery);
export type PageQuery = Static<typeof PageQuery>;

export type Span = Pick<PageQuery, 'created_after' | 'created_before'>;

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

interface Columns {
  uuid: string;
  created: string;
}
const usualColumns: Columns = { uuid: 'uuid', created: 'created' };

const exactCountLimit = 10_000;
const chunkRows = 1000;

/**
 * One page of a list, positioned by the key of the last row seen (keyset), so page 10,000 costs what page 1 costs and rows
 * inserted meanwhile move nothing. `rows` must select `uuid` and be filtered, but neither ordered nor limited; `uuid` names the column.
 */
export async function keysetPage<Row extends { uuid: string }>(
  db: Db,
  // biome-ignore lint/suspicious/noExplicitAny: any tables, joined in any way, have pages
  rows: SelectQueryBuilder<any, any, Row>,
  query: PageQuery,
  columns: Columns = usualColumns,
): Promise<Page<Row>> {
  const uuid = sql.ref<string>(columns.uuid);
  const filtered = rows.where(createdWithin(query, columns));
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

/**
 * All rows of a list in its order, a thousand at a time, found in the same way: nothing is held open between two chunks,
 * however long the reader takes.
 */
export async function* keysetChunks<Row extends { uuid: string }>(
  // biome-ignore lint/suspicious/noExplicitAny: as for pages
  rows: SelectQueryBuilder<any, any, Row>,
  query: Span & Pick<PageQuery, 'ordering'>,
  columns: Columns = usualColumns,
): AsyncGenerator<Row[]> {
  const uuid = sql.ref<string>(columns.uuid);
  const ascending = query.ordering === 'created';
  const ordered = rows
    .where(createdWithin(query, columns))
    .orderBy(uuid, ascending ? 'asc' : 'desc')
    .limit(chunkRows);
  let chunk = await ordered.execute();
  while (chunk.length > 0) {
    yield chunk;
    if (chunk.length < chunkRows) return;
    chunk = await ordered.where(uuid, ascending ? '>' : '<', chunk.at(-1)!.uuid).execute();
  }
}

/**
 * Whether a row was created in a span of time. The range of ids lets PostgreSQL skip whole partitions; the exact comparison
 * is with the database's own clock, which may differ from the id's by the time it took to get there.
 */
export function createdWithin(span: Span, columns: Columns = usualColumns): RawBuilder<boolean> {
  const uuid = sql.ref(columns.uuid);
  const created = sql.ref(columns.created);
  const bounds = [sql<boolean>`true`];
  if (span.created_after) {
    // Ids begin in 1970, and have no room for an earlier moment.
    const earliest = sql`greatest(${span.created_after}::timestamptz - interval '5 minutes', 'epoch')`;
    bounds.push(sql`${uuid} >= uuid_floor(${earliest}) and ${created} >= ${span.created_after}::timestamptz`);
  }
  if (span.created_before) {
    const latest = sql`greatest(${span.created_before}::timestamptz + interval '5 minutes', 'epoch')`;
    bounds.push(sql`${uuid} < uuid_floor(${latest}) and ${created} < ${span.created_before}::timestamptz`);
  }
  return sql<boolean>`(${sql.join(bounds, sql` and `)})`;
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
  if (!/^[np]/.test(plain) || !isUuid(key)) throw new ApiError('invalid_page');
  return { forward: plain[0] === 'n', key };
}
