import { route } from '../../../deps.ts';
import type { Config } from '../../../platform/config.ts';
import { presentPage } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { type BillableRow, listBillable, readBillable } from './billable-queries.ts';
import { listNumberEvents, readNumberEvents } from './queries.ts';
import {
  BillableFilter,
  BillableNumber,
  BillableNumberPage,
  presentRawNumber,
  RawNumberFilter,
  RawNumberLog,
  RawNumberLogPage,
} from './schemas.ts';

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
