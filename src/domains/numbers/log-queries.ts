import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { keysetChunks, keysetPage, type Page } from '../../platform/db/page.ts';
import { ApiError } from '../../platform/errors.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { eventsOfType } from '../timeline/index.ts';
import type { BillableFilter, RawNumberFilter } from './logs.ts';

export interface NumberEventRow {
  uuid: string;
  kind: string;
  data: { number: string; changed?: string[] };
  at: string;
}

const columns = { uuid: 'uuid', created: 'at' };

export function numberEvents(db: Db, accountId: string, { number, event }: Pick<RawNumberFilter, 'number' | 'event'>) {
  let rows = eventsOfType(db, accountId, 'number').$castTo<NumberEventRow>();
  if (number) rows = rows.where(sql`data ->> 'number'`, '=', `+${phoneDigits(number)}`);
  if (event) rows = rows.where('kind', '=', event);
  return rows;
}

export const listNumberEvents = (db: Db, accountId: string, filter: RawNumberFilter) =>
  keysetPage(db, numberEvents(db, accountId, filter), filter, columns);

/** All of them, a chunk at a time. */
export const readNumberEvents = (db: Db, accountId: string, filter: RawNumberFilter) =>
  keysetChunks(numberEvents(db, accountId, filter), filter, columns);

export interface BillableRow {
  uuid: string;
  /** Which month of the number it is, from 0. */
  period: number;
  number: string;
  country: string;
  issued_date: string;
  released_date: string | null;
  period_start: string;
  period_end: string;
  days_active: number;
}

/** A place in the list: rows after it in its order, or before it. */
interface Cursor {
  forward: boolean;
  uuid: string;
  period: number;
}

const mostCounted = 10_000;
const chunkRows = 1000;

/**
 * The months of an account's numbers, released ones included, that have begun. The first one begins on the day of issue, the
 * others on the day of the billing anniversary; a number that is gone has no month that begins after it went. Numbers are
 * read in their order, and their months are made as they are reached: a page costs what it holds.
 */
function months(accountId: string, filter: BillableFilter, cursor?: Cursor): RawBuilder<BillableRow> {
  const conditions = [sql`account_id = ${accountId}`, sql`period_start <= until`];
  if (filter.number) conditions.push(sql`digits = ${phoneDigits(filter.number)}`);
  if (filter.period_after) conditions.push(sql`period_start >= ${filter.period_after}::date`);
  if (filter.period_before) conditions.push(sql`period_start < ${filter.period_before}::date`);
  if (cursor) {
    const after = isAscending(filter, cursor) ? sql.raw('>') : sql.raw('<');
    // The first condition is for the index, which knows nothing of months.
    conditions.push(
      sql`uuid ${after}= ${cursor.uuid}::uuid and (uuid, period) ${after} (${cursor.uuid}::uuid, ${cursor.period}::int)`,
    );
  }
  return sql<BillableRow>`
    select uuid, period, number, country, issued_date, released_at as released_date, period_start, next_start - 1 as period_end,
      least(next_start - 1, until) - period_start + 1 as days_active
    from numbers
      cross join lateral (select (issued_date at time zone 'UTC')::date as issued,
        (coalesce(released_at, now()) at time zone 'UTC')::date as until) as life
      cross join lateral generate_series(0, 1 + greatest(-1,
        12 * (extract(year from until) - extract(year from billing_anniversary))::int
        + (extract(month from until) - extract(month from billing_anniversary))::int)) as period
      cross join lateral (select
        case period when 0 then issued else (billing_anniversary + make_interval(months => period - 1))::date end as period_start,
        (billing_anniversary + make_interval(months => period))::date as next_start) as month
    where ${sql.join(conditions, sql` and `)}`;
}

const isAscending = ({ ordering }: BillableFilter, { forward }: { forward: boolean }): boolean =>
  (ordering === 'issued_date') === forward;

async function readMonths(db: Db, accountId: string, filter: BillableFilter, limit: number, cursor?: Cursor) {
  const direction = isAscending(filter, cursor ?? { forward: true }) ? sql.raw('asc') : sql.raw('desc');
  const { rows } = await sql<BillableRow>`
    ${months(accountId, filter, cursor)} order by uuid ${direction}, period ${direction} limit ${limit}`.execute(db);
  return rows;
}

export async function listBillable(db: Db, accountId: string, filter: BillableFilter): Promise<Page<BillableRow>> {
  const cursor = readCursor(filter.cursor);
  const forward = cursor?.forward ?? true;
  const counting = sql<{ count: number }>`
    select count(*) as count from (${months(accountId, filter)} limit ${mostCounted}) as counted`;
  const [found, counted] = await Promise.all([
    readMonths(db, accountId, filter, filter.page_size + 1, cursor),
    counting.execute(db),
  ]);
  const hasMore = found.length > filter.page_size;
  const rows = found.slice(0, filter.page_size);
  if (!forward) rows.reverse();
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    count: counted.rows[0]!.count,
    rows,
    next: last && (forward ? hasMore : true) ? writeCursor(last, true) : null,
    previous: first && (forward ? cursor !== undefined : hasMore) ? writeCursor(first, false) : null,
  };
}

/** All of them, a chunk at a time. */
export async function* readBillable(db: Db, accountId: string, filter: BillableFilter): AsyncGenerator<BillableRow[]> {
  let chunk = await readMonths(db, accountId, filter, chunkRows);
  while (chunk.length > 0) {
    yield chunk;
    if (chunk.length < chunkRows) return;
    chunk = await readMonths(db, accountId, filter, chunkRows, { forward: true, ...chunk.at(-1)! });
  }
}

const writeCursor = ({ uuid, period }: BillableRow, forward: boolean): string =>
  Buffer.from(`${forward ? 'n' : 'p'}${uuid}.${period}`).toString('base64url');

const cursorPattern = /^([np])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,6})$/;

function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  const [, direction, uuid, period] = cursorPattern.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (!uuid) throw new ApiError('invalid_page');
  return { forward: direction === 'n', uuid, period: Number(period) };
}
