import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { Type } from 'typebox';
import type { Db } from '../db/connect/pool.ts';
import { ApiError } from '../errors.ts';
import { tokenHash } from '../secrets.ts';
import { readToken } from './access/gate.ts';
import type { Operation } from './openapi/openapi.ts';
import { record } from './validation/index.ts';

export interface SystemOptions {
  db: Db;
  /** In the text format of Prometheus. */
  readMetrics(): Promise<string>;
  /** Asked for at `/metrics`; empty: everybody may read them. */
  metricsToken?: string;
  /** What is wrong with each part, in a sentence for the operator; null where nothing is. */
  problems(): Promise<Record<string, string | null>>;
}

const checkTimeoutMs = 2_000;

const Health = Type.Object({ status: Type.Literal('ok') }, { title: 'Health' });
const Readiness = Type.Object(
  {
    status: Type.Enum(['ready', 'not_ready']),
    checks: record(Type.String(), { description: '`ok`, or what is wrong, by part.' }),
  },
  { title: 'Readiness' },
);

const tag = 'System';
const scope = 'public';

const health = {
  method: 'GET',
  url: '/healthz',
  operationId: 'getHealth',
  summary: 'Whether the process is alive',
  tag,
  scope,
  responses: { 200: Health },
} satisfies Operation;

const readiness = {
  method: 'GET',
  url: '/readyz',
  operationId: 'getReadiness',
  summary: 'Whether the database, the queue and the carriers work',
  tag,
  scope,
  responses: { 200: Readiness, 503: Readiness },
} satisfies Operation;

const prometheus = {
  method: 'GET',
  url: '/metrics',
  operationId: 'getMetrics',
  summary: 'Metrics in the text format of Prometheus',
  description: 'With `METRICS_TOKEN` set, it needs that token: `Authorization: Bearer …`, else 401.',
  tag,
  scope,
  responses: { 200: Type.String({ contentMediaType: 'text/plain' }) },
  errors: [401],
} satisfies Operation;

/** The operations for whoever runs the server, as the OpenAPI document lists them. */
export const systemOperations: Operation[] = [health, readiness, prometheus];

/** Serves them. They take no token of an account, as nothing of any account is told; metrics may ask for one of their own. */
export function serveSystem(app: FastifyInstance, { db, readMetrics, metricsToken, problems }: SystemOptions): void {
  app.get(health.url, async () => ({ status: 'ok' }));

  app.get(readiness.url, async (_, reply) => {
    const [database, others] = await Promise.all([
      inTime(databaseProblem(db), 'The database did not answer in time.'),
      inTime(problems(), { parts: 'The checks of the other parts did not end in time.' }),
    ]);
    const found = Object.entries({ database, ...others });
    const isReady = found.every(([, problem]) => problem === null);
    const checks = Object.fromEntries(found.map(([part, problem]) => [part, problem ?? 'ok']));
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not_ready', checks });
  });

  app.get(prometheus.url, async (request, reply) => {
    if (metricsToken) refuseOthers(request, metricsToken);
    return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await readMetrics());
  });
}

function refuseOthers(request: FastifyRequest, token: string): void {
  const given = readToken(request);
  if (typeof given !== 'string') throw given;
  // As hashes, so that the time tells nothing of how much of it was right.
  if (tokenHash(given) === tokenHash(token)) return;
  throw new ApiError('authentication_failed', { headers: { 'www-authenticate': 'Bearer' } });
}

const databaseProblem = (db: Db): Promise<string | null> =>
  sql`select 1`.execute(db).then(
    () => null,
    () => 'The database cannot be reached.',
  );

/** A probe that waits for ever tells nothing. */
const inTime = <T, U>(check: Promise<T>, otherwise: U): Promise<T | U> =>
  Promise.race([check, setTimeout(checkTimeoutMs, otherwise, { ref: false })]);
