import { type Static, Type } from 'typebox';
import { route } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { pageQuery } from '../../../platform/db/page.ts';
import { Phone, presentPage, Uuid } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { withOffset } from '../../../platform/http/validation/index.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import { findAgents } from '../../agents/index.ts';
import { searchQuery, withSought } from '../../directory/index.ts';
import { type CallFilters, type CallRow, listRecords, readRecords } from '../queries.ts';
import { CallDirection, CallRecord, CallRecordPage, CallResult, presentCallRecord } from '../schemas.ts';

const Moment = (description: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      anyOf: [{ format: 'date-time' }, { format: 'date' }],
      'x-message': 'Enter a date such as 2026-11-15, or a moment such as 2026-11-15T09:30:00Z.',
      description,
    }),
  );

export const CallRecordQuery = Type.Object({
  ...pageQuery,
  number: Type.Optional(Phone('Your number.')),
  caller: Type.Optional(Phone('Who called.')),
  result: Type.Optional(CallResult),
  direction: Type.Optional(CallDirection),
  agent: Type.Optional(Uuid('The agent who was rung last.')),
  call_tracking: Type.Optional(Type.String({ maxLength: 255, description: 'The source: the label of the number.' })),
  from: Moment('Calls of this day (UTC) or moment, and later ones.'),
  to: Moment('Calls up to and including this day (UTC), or before this moment.'),
});
type CallRecordQuery = Static<typeof CallRecordQuery>;

export const cdrColumns = Object.keys(CallRecord.properties);

/** Both ways to name a span at once: each bound that is given holds. */
function spanned<Q extends Pick<CallRecordQuery, 'from' | 'to' | 'created_after' | 'created_before'>>(query: Q) {
  const { from, to, ...rest } = query;
  const after = [from && momentOf(from), query.created_after].filter((bound) => bound !== undefined);
  const before = [to && (to.includes('T') ? momentOf(to) : dayEnd(to)), query.created_before].filter(
    (bound) => bound !== undefined,
  );
  const by = (one: string, other: string): number => Date.parse(withOffset(one)) - Date.parse(withOffset(other));
  return {
    ...rest,
    ...(after.length > 0 && { created_after: after.toSorted(by).at(-1)! }),
    ...(before.length > 0 && { created_before: before.toSorted(by)[0]! }),
  };
}

const momentOf = (text: string): string => (text.includes('T') ? text : `${text}T00:00:00Z`);
// The end of a day in the words of ISO 8601, which both PostgreSQL and JavaScript understand; the day after the last has no date.
const dayEnd = (date: string): string => `${date}T24:00:00Z`;

async function* presented(chunks: AsyncIterable<CallRow[]>) {
  for await (const rows of chunks) yield rows.map(presentCallRecord);
}

/** Every detail record that the filters let through, some at a time. */
export async function* cdrRows(db: Db, accountId: string, filters: Partial<CallRecordQuery> & CallFilters) {
  yield* presented(readRecords(db, accountId, await withTargets(db, accountId, spanned(filters))));
}

export const recordRoutes = [
  route({
    method: 'GET',
    url: '/v2/cdr/',
    operationId: 'listCallRecords',
    summary: 'Call detail records: the calls that are over',
    tag: 'Voice',
    scope: 'calls:read',
    query: Type.Object({ ...CallRecordQuery.properties, ...searchQuery }),
    responses: { 200: CallRecordPage },
    csv: {
      name: 'cdr',
      columns: cdrColumns,
      async *rows({ deps, accountId, principal, query }) {
        yield* cdrRows(deps.db, accountId, await withSought(deps.db, principal, query));
      },
    },
    bound: { numbers: ({ query }) => [query.number] },
    handler: async ({ deps, accountId, principal, query, url }) => {
      const sought = spanned(await withSought(deps.db, principal, query));
      const filters = await withTargets(deps.db, accountId, sought);
      return ok(presentPage(await listRecords(deps.db, accountId, filters), url(), presentCallRecord));
    },
  }),
];

/** Filters in which an agent, if one is named, is the numbers at which that agent is rung. */
export async function withTargets<Q extends object>(
  db: Db,
  accountId: string,
  filters: Q,
): Promise<Q & Pick<CallFilters, 'targets'>> {
  const { agent } = filters as { agent?: string };
  if (agent === undefined) return filters;
  const [found] = await findAgents(db, accountId, [agent]);
  const numbers = found?.numbers ?? [];
  // As they are written, and in the form that is dialled.
  const dialled = numbers.map(phoneDigits).filter((digits) => digits !== '');
  return { ...filters, targets: [...new Set([...numbers, ...dialled, ...dialled.map((digits) => `+${digits}`)])] };
}
