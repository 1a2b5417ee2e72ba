import { type Static, Type } from 'typebox';
import { route } from '../../deps.ts';
import type { Config } from '../../platform/config.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { FreeForm, PageOf, Phone, presentPage, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { ok } from '../../platform/http/route.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import {
  type BillableRow,
  listBillable,
  listNumberEvents,
  type NumberEventRow,
  readBillable,
  readNumberEvents,
} from './log-queries.ts';

const NumberEvent = Type.Enum(['number.assigned', 'number.updated', 'number.released'], { title: 'NumberEvent' });

export const RawNumberFilter = Type.Object({
  ...pageQuery,
  number: Type.Optional(Phone('In any notation.')),
  event: Type.Optional(NumberEvent),
});
export type RawNumberFilter = Static<typeof RawNumberFilter>;

const RawNumberLog = Type.Object(
  {
    uuid: Uuid(),
    number: Type.String(),
    event: NumberEvent,
    changed: Type.Array(Type.String(), { description: 'The names of the fields that an update changed.' }),
    data: FreeForm({ description: 'All that was noted.' }),
    created: Timestamp(),
  },
  { title: 'RawNumberLog' },
);
const RawNumberLogPage = PageOf(RawNumberLog, 'RawNumberLogPage');

const presentRawNumber = ({ uuid, kind, data, at }: NumberEventRow) => ({
  uuid,
  number: data.number,
  event: kind,
  changed: data.changed ?? [],
  data,
  created: at,
});

const date = (description: string) => Type.String({ format: 'date', description });

export const BillableFilter = Type.Object({
  page_size: pageQuery.page_size,
  cursor: pageQuery.cursor,
  ordering: Type.Enum(['-issued_date', 'issued_date'], {
    default: '-issued_date',
    description: 'Numbers and their periods, newest or oldest first.',
  }),
  number: Type.Optional(Phone('In any notation.')),
  period_after: Type.Optional(date('Only periods that begin on or after this day.')),
  period_before: Type.Optional(date('Only periods that begin before this day.')),
});
export type BillableFilter = Static<typeof BillableFilter>;

const BillableNumber = Type.Object(
  {
    number: Type.String(),
    country: Type.String(),
    issued_date: Timestamp(),
    released_date: nullable(Timestamp('null: the account has it.')),
    period_start: date('First day of the month that is billed, UTC.'),
    period_end: date('Its last day.'),
    days_active: Type.Integer({ description: 'Days of the period on which the account had the number, so far.' }),
    price: Type.String({ description: 'Of the month, whole, however many days.', examples: ['1.00'] }),
  },
  { title: 'BillableNumber' },
);
const BillableNumberPage = PageOf(BillableNumber, 'BillableNumberPage');

const tag = 'Logs';

/** Rows as the API shows them, with the price that the operator asks for a number of their country. */
const presentBillable =
  ({ numberPrices }: Config) =>
  ({ uuid: _, period: __, ...row }: BillableRow) => ({
    ...row,
    price: (numberPrices[row.country] ?? numberPrices['default'] ?? 0).toFixed(2),
  });

async function* presented<Row, Item>(chunks: AsyncIterable<Row[]>, present: (row: Row) => Item) {
  for await (const rows of chunks) yield rows.map(present);
}

export const logRoutes = [
  route({
    method: 'GET',
    url: '/v2/logs/raw-numbers/',
    operationId: 'listRawNumbers',
    summary: 'Raw number log: everything that happened to the numbers of the account',
    tag,
    scope: 'number:read',
    query: RawNumberFilter,
    responses: { 200: RawNumberLogPage },
    csv: {
      name: 'raw-numbers',
      columns: Object.keys(RawNumberLog.properties),
      rows: ({ deps, accountId, query }) => presented(readNumberEvents(deps.db, accountId, query), presentRawNumber),
    },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listNumberEvents(deps.db, accountId, query), url(), presentRawNumber)),
  }),
  route({
    method: 'GET',
    url: '/v2/logs/billable-numbers/',
    operationId: 'listBillableNumbers',
    summary: 'Billable number log: each number of the account, released ones included, by the months that are billed',
    tag,
    scope: 'number:read',
    query: BillableFilter,
    responses: { 200: BillableNumberPage },
    csv: {
      name: 'billable-numbers',
      columns: Object.keys(BillableNumber.properties),
      rows: ({ deps, accountId, query }) =>
        presented(readBillable(deps.db, accountId, query), presentBillable(deps.config)),
    },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listBillable(deps.db, accountId, query), url(), presentBillable(deps.config))),
  }),
];
