// Entity tags of objects that can be changed (RFC 9110, sections 8.8.3 and 13): one mechanism for all of them, in front of the
// handlers. An object is what a GET answers that has a PUT, PATCH or DELETE at the same address.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../db/connect/pool.ts';
import { ApiError, ValidationError } from '../errors.ts';
import type { Answer, Call, HttpDeps, Principal, Route } from './route.ts';

type Described = Pick<Route<unknown>, 'method' | 'url' | 'scope' | 'responses' | 'tagged'>;

const changing = new Set(['PUT', 'PATCH', 'DELETE']);
const editing = new Set(['PUT', 'PATCH']);

const isList = (route: Described): boolean =>
  ((route.responses[200] ?? {}) as { properties?: Record<string, unknown> }).properties?.['results'] !== undefined;

/** The GET of the object that `route` reads or changes; undefined: it has no tag. */
export function objectOf<R extends Described>(route: R, all: readonly R[]): R | undefined {
  if (route.method !== 'GET' && !changing.has(route.method)) return undefined;
  const sharers = all.filter(({ url }) => url === route.url);
  const get = sharers.find(({ method }) => method === 'GET');
  if (!get || get.tagged === false || isList(get) || !sharers.some(({ method }) => changing.has(method)))
    return undefined;
  if (!get.tagged?.row && sharers.some(({ method }) => editing.has(method)))
    throw new Error(`GET ${get.url} must name the row that its object is stored in: tagged.row`);
  return get;
}

/** Whether the answer of an operation on a tagged object shows the object, and so carries its tag. */
export const showsObject = ({ method }: Pick<Described, 'method'>): boolean => method !== 'DELETE';

/** What an operation does about the tags of the object at its address. */
export interface EntityTags<D> {
  /** The header `If-Match`, where this operation heeds it. */
  condition(header: string | undefined): Condition | undefined;
  /** Whether the check needs the transaction of the change: what can be edited may change in between. */
  needsTransaction: boolean;
  /** Refuses with 412 unless the stored object has one of the tags. Inside a transaction nobody changes it until the end. */
  check(condition: Condition, call: AnyCall<D>): Promise<void>;
  /** The answer with the tag of the object that it shows; 304 where the caller has it already. */
  label(answer: Answer, ifNoneMatch: string | undefined): Answer;
}

// biome-ignore lint/suspicious/noExplicitAny: of any operation
type AnyCall<D> = Call<D, any, any, any>;
type Condition = '*' | readonly Tag[];

export function entityTags<D extends HttpDeps>(route: Route<D>, all: readonly Route<D>[]): EntityTags<D> | undefined {
  const get = objectOf(route, all);
  if (!get) return undefined;
  const { without = [], row } = get.tagged || {};
  return {
    condition: (header) =>
      header === undefined || !changing.has(route.method) ? undefined : readCondition('If-Match', header),
    needsTransaction: row !== undefined && !route.asksOthers,
    async check(condition, call) {
      if (row && !route.asksOthers) await lockRow(call.deps.db, rowOf(row, call));
      const { body } = await get.handler({ ...call, query: {}, body: undefined });
      const current = tagOf(body, without);
      const isCurrent = ({ isWeak, opaque }: Tag) => !isWeak && editPart(opaque) === editPart(current);
      if (condition !== '*' && !condition.some(isCurrent))
        throw new ApiError('precondition_failed', { headers: { etag: `"${current}"` } });
    },
    label(answer, ifNoneMatch) {
      if (!showsObject(route) || answer.status !== 200 || answer.body === undefined) return answer;
      const current = tagOf(answer.body, without);
      const headers = { ...answer.headers, etag: `"${current}"` };
      const isKnown = route.method === 'GET' && ifNoneMatch !== undefined && names(ifNoneMatch, current);
      return isKnown ? { status: 304, headers } : { ...answer, headers };
    },
  };
}

/** Where an object is stored: a table with the account and the uuid of the address, or what else names the row. */
export type StoredRow =
  | string
  | ((accountId: string, params: Record<string, string>, principal: Principal) => NamedRow);
export interface NamedRow {
  table: string;
  where: Record<string, string>;
}

const rowOf = <D>(row: StoredRow, { accountId, params, principal }: AnyCall<D>): NamedRow =>
  typeof row === 'string'
    ? { table: row, where: { account_id: accountId, uuid: params.uuid } }
    : row(accountId, params, principal);

/** Locks the row of an object. Rows that refer to it may still be added, because that does not change the object. */
async function lockRow(db: Db, { table, where }: NamedRow): Promise<void> {
  const conditions = Object.entries(where).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  await sql`select 1 from ${sql.table(table)} where ${sql.join(conditions, sql` and `)} for no key update`.execute(db);
}

/**
 * Two hashes: of what somebody edits, which `If-Match` compares, and of everything, which `If-None-Match` compares. So a poller hears of
 * every change, and an edit is not refused because a counter moved.
 */
function tagOf(body: unknown, without: readonly string[]): string {
  const shown = Object.entries(body as object).filter(([name]) => !without.includes(name));
  return `${hashOf(Object.fromEntries(shown)).slice(0, 22)}.${hashOf(body).slice(0, 11)}`;
}
const editPart = (opaque: string): string => opaque.split('.')[0]!;
const hashOf = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('base64url');

/** JSON whose objects have their fields in one order: a stored object may have them in another than the one that was sent. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

interface Tag {
  isWeak: boolean;
  opaque: string;
}

const oneTag = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/** `*` or a list of entity tags. */
function readCondition(name: string, header: string): Condition {
  const text = header.trim();
  if (text === '*') return '*';
  const tags = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => oneTag.exec(part));
  if (tags.length === 0 || tags.includes(null)) {
    throw new ValidationError({ [name]: ['Send the ETag as you received it, in double quotes, or *.'] });
  }
  return tags.map((found) => ({ isWeak: found![1] !== undefined, opaque: found![2]! }));
}

/** Whether a header names the current tag. For reading, a weak tag will do; anything that is no tag was not given by us. */
const names = (header: string, current: string): boolean =>
  header.trim() === '*' || header.split(',').some((part) => oneTag.exec(part.trim())?.[2] === current);
