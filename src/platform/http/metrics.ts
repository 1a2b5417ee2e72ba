import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of this process, served at `/metrics`. Domains register their own in the same registry. */
export function makeMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** How often a clock was set while this process was running. */
export function clockJumpCounter(registry: Registry): Counter<'clock'> {
  const jumps = new Counter({
    name: 'parley_clock_jumps_total',
    help: "Times that a clock was set by more than a second: the machine's, or the database's.",
    labelNames: ['clock'],
    registers: [registry],
  });
  for (const clock of ['machine', 'database']) jumps.inc({ clock }, 0);
  return jumps;
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** Counts and times answers. Made once per operation: finding a series by its labels costs more than counting. */
export function makeRequestCounter(registry: Registry): (operation: string) => Hook {
  const requests = new Counter({
    name: 'parley_http_requests_total',
    help: 'Requests answered, by operation and status.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer, by operation.',
    labelNames: ['operation'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return (operation) => {
    const duration = durations.labels({ operation });
    const byStatus = new Map<number, ReturnType<typeof requests.labels>>();
    return (_request, reply, done) => {
      const count = byStatus.get(reply.statusCode) ?? requests.labels({ operation, status: reply.statusCode });
      byStatus.set(reply.statusCode, count);
      count.inc();
      duration.observe(reply.elapsedTime / 1000);
      done();
    };
  };
}
