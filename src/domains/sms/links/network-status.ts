import { Type } from 'typebox';
import type { SmsLinkReport } from '../../../carriers/ports/sms.ts';
import { route } from '../../../deps.ts';
import { pageQuery } from '../../../platform/db/page.ts';
import { PageOf, presentPage, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { readQueue } from '../queries.ts';
import { findAliveAnyAccount, type LinkRow, listLinks } from './queries.ts';

const mostCounted = 100_000;
const tag = 'Network status';

const NetworkLink = Type.Object(
  {
    link: Uuid(),
    name: Type.String(),
    carrier: Type.String(),
    state: Type.Enum(['UP', 'CONNECTING', 'DOWN', 'DISABLED']),
    since: nullable(Timestamp('Since when it has been in this state; null: nobody has told yet.')),
    sent: Type.Integer({ description: 'In the last minutes.' }),
    failed: Type.Integer({ description: 'In the last minutes.' }),
    latency_ms: Type.Object({ p50: nullable(Type.Number()), p99: nullable(Type.Number()) }),
    queue_depth: Type.Integer({
      description: `What waits in the account's queue, from which all its links take; counted up to ${mostCounted}.`,
    }),
    oldest_queued: nullable(Timestamp('When the first of that was accepted.')),
    last_error: nullable(Type.String()),
    reported: nullable(Timestamp('When this was last told.')),
  },
  { title: 'NetworkLink' },
);
const NetworkLinkPage = PageOf(NetworkLink, 'NetworkLinkPage');

/** As it stands in the row: dates are texts there, and nothing may have been told yet. */
type StoredReport = Partial<Omit<SmsLinkReport, 'since'> & { since: string }>;

interface Known {
  alive: Set<number>;
  /** The names of the carriers whose links need no connection: no process has them, and they are up. */
  unconnected: Set<string>;
  queue: { depth: number; oldest: string | null };
}

function presentStatus(row: LinkRow, { alive, unconnected, queue }: Known) {
  const report = row.report as StoredReport;
  const isUnconnected = unconnected.has(row.carrier);
  const isServed = isUnconnected || (row.owner !== null && alive.has(row.owner));
  const state = !row.enabled ? 'DISABLED' : isServed ? (report.state ?? (isUnconnected ? 'UP' : 'DOWN')) : 'DOWN';
  return {
    link: row.uuid,
    name: row.name,
    carrier: row.carrier,
    state,
    since: isServed && report.since ? timestamp(new Date(report.since)) : null,
    sent: report.sent ?? 0,
    failed: report.failed ?? 0,
    latency_ms: { p50: report.latencyMs?.p50 ?? null, p99: report.latencyMs?.p99 ?? null },
    queue_depth: queue.depth,
    oldest_queued: queue.oldest,
    last_error: isServed || !row.enabled ? (report.lastError ?? null) : 'No process has this link.',
    reported: row.reported,
  };
}

export const networkRoutes = [
  route({
    method: 'GET',
    url: '/v2/network-status/sms/',
    operationId: 'getSmsNetworkStatus',
    summary: 'Get the status of the SMS links',
    tag,
    scope: 'sms:read',
    query: Type.Object(pageQuery),
    responses: { 200: NetworkLinkPage },
    handler: async ({ deps, accountId, query, url }) => {
      const [links, alive, queue] = await Promise.all([
        listLinks(deps.db, accountId, query),
        findAliveAnyAccount(deps.db),
        readQueue(deps.db, accountId, mostCounted),
      ]);
      const carriers = deps.carriers.all('sms').filter(({ sms }) => !sms.keepOpen);
      const unconnected = new Set(carriers.map(({ name }) => name));
      return ok(presentPage(links, url(), (row) => presentStatus(row, { alive, unconnected, queue })));
    },
  }),
];
