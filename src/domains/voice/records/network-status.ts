import { sql } from 'kysely';
import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { PageOf, Timestamp } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { readWaiting } from '../calls/under-way-queries.ts';

const recentMinutes = 5;

const VoiceNetworkLink = Type.Object(
  {
    name: Type.String(),
    carrier: Type.String(),
    state: Type.Enum(['UP', 'STARTING', 'DOWN']),
    since: Timestamp('Since when it has been in this state.'),
    calls: Type.Integer({ description: 'Legs under way, as far as they are known here.' }),
    sent: Type.Integer({ description: `Calls of this carrier in the last ${recentMinutes} minutes that are over.` }),
    failed: Type.Integer({ description: 'Further ones, that failed.' }),
    latency_ms: nullable(Type.Number({ description: 'Until the other side answers a question.' })),
    queue_depth: Type.Integer({ description: 'Calls of the account that wait to be dialled.' }),
    oldest_queued: nullable(Timestamp('When the first of them was accepted.')),
    last_error: nullable(Type.String()),
  },
  { title: 'VoiceNetworkLink' },
);

/** How many calls of each carrier began in the last minutes and are over, and how many of those failed. */
async function readRecent(db: Db, accountId: string): Promise<Map<string, { sent: number; failed: number }>> {
  const { rows } = await sql<{ carrier: string; sent: number; failed: number }>`
    select carrier, count(*) filter (where result <> 'FAILED') as sent, count(*) filter (where result = 'FAILED') as failed
    from calls
    where account_id = ${accountId} and uuid >= uuid_floor(now() - make_interval(mins => ${recentMinutes}))
      and result is not null
    group by carrier`.execute(db);
  return new Map(rows.map(({ carrier, ...counts }) => [carrier, counts]));
}

export const networkRoutes = [
  route({
    method: 'GET',
    url: '/v2/network-status/voice/',
    operationId: 'getVoiceNetworkStatus',
    summary: 'Get the status of the voice links',
    tag: 'Network status',
    scope: 'voice:read',
    responses: { 200: PageOf(VoiceNetworkLink, 'VoiceNetworkLinkPage') },
    handler: async ({ deps, accountId }) => {
      const [links, recent, queue] = await Promise.all([
        Promise.all(
          deps.carriers
            .all('voice')
            .map(async ({ name, voice }) =>
              (await voice.status(accountId)).map((link) => ({ ...link, carrier: name })),
            ),
        ),
        readRecent(deps.db, accountId),
        readWaiting(deps.db, accountId),
      ]);
      const results = links.flat().map(({ carrier, name, state, since, calls, lastError, latencyMs }) => ({
        name,
        carrier,
        state,
        since: timestamp(since),
        calls,
        ...(recent.get(carrier) ?? { sent: 0, failed: 0 }),
        latency_ms: latencyMs,
        queue_depth: queue.depth,
        oldest_queued: queue.oldest,
        last_error: lastError || null,
      }));
      return ok({ count: results.length, next: null, previous: null, results });
    },
  }),
];
