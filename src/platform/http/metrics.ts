import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of this process, served at `/metrics`. Domains register their own in the same registry. */
export function makeMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

export function countRequests(app: FastifyInstance, registry: Registry): void {
  const requests = new Counter({
    name: 'parley_http_requests_total',
    help: 'Requests answered, by operation and status.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer, by operation.',
    labelNames: ['operation'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.operationId ?? 'none';
    requests.inc({ operation, status: reply.statusCode });
    duration.observe({ operation }, reply.elapsedTime / 1000);
    done();
  });
}
