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
    Type.String({ maxLength: 2000, description: 'Opaque position, taken from `next` or `previous`.' }),
  ),
  ordering: Type.Enum(['-created', 'created'], { default: '-created', description: 'Newest or oldest first.' }),
  ...spanQuery,
};

/** The `ordering` of a list that can also be sorted by these columns, each of which has an index. */
export const orderedBy = <Name extends string>(...names: Name[]) => ({
  ordering: Type.Enum(['-created', 'created', ...names.flatMap((name) => [name, `-${name}` as const])], {
    default: '-created',
    description: `By \`created\`${names.map((name) => ` or \`${name}\``).join('')}; with a minus, the last first.`,
  }),
});

const PageQuery = Type.Object(pageQuery);
export type PageQuery = Static<typeof PageQuery>;

export type Span = Pick<PageQuery, 'created_after' | 'created_before'>;

export interface Page<Row> {
  count: number;
  next: string | null;
  previous: string | null;
  rows: Row[];
}

/** The query of a list that may have more orderings than the usual ones. */
type Ordered<Q extends { ordering: unknown }> = Omit<Q, 'ordering'> & { ordering: string };

interface Cursor {
  /** true: rows that follow the key in the list's order; false: rows before it */
  forward: boolean;
  key: string;
  /** The row's value in the column that the list is sorted by; undefined where that is the time of creation. */
  value: string | undefined;
}

interface Columns {
  uuid: string;
  created: string;
  /**
   * The further orderings by name, with what they compare: texts that are never null, each with an index that goes on with the id.
   */
  orderings?: Record<string, RawBuilder<string>>;
  /** The further orderings that compare ids. */
  ids?: string[];
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
  query: Ordered<PageQuery>,
  columns: Columns = usualColumns,
): Promise<Page<Row>> {
  const filtered = rows.where(createdWithin(query, columns));
  const order = orderOf(query.ordering, columns);
  const cursor = readCursor(query.cursor, order);
  const forward = cursor?.forward ?? true;
  const ascending = order.ascending === forward;
  let window = inOrder(filtered, order, ascending).limit(query.page_size + 1);
  if (cursor) window = window.where(isBehind(cursor, order, ascending));

  const [found, count] = await Promise.all([window.execute(), countUpTo(db, filtered)]);
  const hasMore = found.length > query.page_size;
  const page = found.slice(0, query.page_size);
  if (!forward) page.reverse();
  const [first, last] = [page[0], page.at(-1)];
  return {
    count,
    rows: page,
    next: last && (forward ? hasMore : true) ? writeCursor(true, last) : null,
    previous: first && (forward ? cursor !== undefined : hasMore) ? writeCursor(false, first) : null,
  };
}

/**
 * All rows of a list in its order, a thousand at a time, found in the same way: nothing is held open between two chunks,
 * however long the reader takes.
 */
export async function* keysetChunks<Row extends { uuid: string }>(
  // biome-ignore lint/suspicious/noExplicitAny: as for pages
  rows: SelectQueryBuilder<any, any, Row>,
  query: Span & { ordering: string },
  columns: Columns = usualColumns,
): AsyncGenerator<Row[]> {
  const order = orderOf(query.ordering, columns);
  const ordered = inOrder(rows.where(createdWithin(query, columns)), order, order.ascending).limit(chunkRows);
  let chunk = await ordered.execute();
  while (chunk.length > 0) {
    yield chunk;
    if (chunk.length < chunkRows) return;
    const last = chunk.at(-1)!;
    const cursor = { forward: true, key: last.uuid, value: orderingKey(last) };
    chunk = await ordered.where(isBehind(cursor, order, order.ascending)).execute();
  }
}

interface Order {
  uuid: RawBuilder<string>;
  /** What is compared before the id; undefined: the id alone, which is in the order of time. */
  value: RawBuilder<string> | undefined;
  /** Whether that is an id as well. */
  byId: boolean;
  ascending: boolean;
}

function orderOf(ordering: string, columns: Columns): Order {
  const name = ordering.replace(/^-/, '');
  const byId = columns.ids?.includes(name) ?? false;
  return { uuid: sql.ref(columns.uuid), value: columns.orderings?.[name], byId, ascending: name === ordering };
}

/** The column with a row's value in the ordering. */
const keyName = 'ordering_key';
const orderingKey = (row: object): string | undefined => (row as Record<string, string | undefined>)[keyName];

function inOrder<Row>(
  // biome-ignore lint/suspicious/noExplicitAny: as for pages
  rows: SelectQueryBuilder<any, any, Row>,
  { uuid, value }: Order,
  ascending: boolean,
): typeof rows {
  const direction = ascending ? 'asc' : 'desc';
  if (value === undefined) return rows.orderBy(uuid, direction);
  return rows.select(value.as(keyName)).orderBy(value, direction).orderBy(uuid, direction) as typeof rows;
}

function isBehind({ key, value = '' }: Cursor, order: Order, ascending: boolean): RawBuilder<boolean> {
  const sign = sql.raw(ascending ? '>' : '<');
  if (order.value === undefined) return sql`${order.uuid} ${sign} ${key}`;
  return sql`(${order.value}, ${order.uuid}) ${sign} (${value}, ${key}::uuid)`;
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
    // Ids cannot express a moment before 1970.
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

/** A cursor: a letter for the direction, the id, and the value that the list is sorted by, if there is one. */
function writeCursor(forward: boolean, row: { uuid: string }): string {
  const value = orderingKey(row);
  const letter = forward ? 'n' : 'p';
  return Buffer.from(value === undefined ? letter + row.uuid : letter.toUpperCase() + row.uuid + value).toString(
    'base64url',
  );
}

/** Reads a cursor. One that was made for another ordering is refused. */
function readCursor(text: string | undefined, order: Order): Cursor | undefined {
  if (text === undefined) return undefined;
  const hasValue = order.value !== undefined;
  const plain = Buffer.from(text, 'base64url').toString();
  const [key, value] = [plain.slice(1, 37), plain.slice(37)];
  const isWhole = hasValue ? /^[NP]/.test(plain) : /^[np]/.test(plain) && value === '';
  if (!isWhole || !isUuid(key) || plain.includes('\0') || (order.byId && !isUuid(value)))
    throw new ApiError('invalid_page');
  return { forward: plain[0]!.toLowerCase() === 'n', key, value: hasValue ? value : undefined };
}
