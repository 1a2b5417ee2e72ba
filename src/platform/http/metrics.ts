import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type Metric,
  Registry,
} from 'prom-client';
import type { AllMetrics } from '../process/parts.ts';

/** Node's own: processor time, memory, event loop, garbage collection. They are of the process, and go on until it ends. */
let ofNode: Registry | undefined;

/** Prometheus metrics of this process, served at `/metrics`. Domains register their own in the same registry. */
export function makeMetrics(): Registry {
  if (!ofNode) {
    ofNode = new Registry();
    collectDefaultMetrics({ register: ofNode });
  }
  const registry = new Registry();
  for (const metric of ofNode.getMetricsAsArray()) registry.registerMetric(metric as unknown as Metric);
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

/** The metrics of all processes of a server, as one of them shows them at `/metrics`: sums, unless a metric says otherwise. */
export const mergeMetrics = (all: AllMetrics): Promise<string> =>
  present([AggregatorRegistry.aggregate(all.of), aboutProcesses({ ...all, count: all.of.length })]);

/** The metrics of a server that is one process. */
export const readOwnMetrics = (own: Registry): Promise<string> =>
  present([own, aboutProcesses({ count: 1, silent: 0, restarts: 0 })]);

function aboutProcesses({ count, silent, restarts }: { count: number; silent: number; restarts: number }): Registry {
  const about = new Registry();
  const registers = [about];
  const show = (name: string, help: string, value: number): void => new Gauge({ name, help, registers }).set(value);
  show('parley_processes', 'Processes of this server whose metrics are summed here.', count);
  show('parley_processes_silent', 'Processes of this server that did not answer in time and are left out.', silent);
  const restarted = 'Times that a process of this server ended unasked and was started again.';
  show(
    'parley_process_restarts',
    `${restarted} The same as parley_process_restarts_total, by its older name.`,
    restarts,
  );
  new Counter({ name: 'parley_process_restarts_total', help: restarted, registers }).inc(restarts);
  return about;
}

/** Gauges of the library whose names end as those of counters do; without a type they say nothing wrong. */
const misnamed = /^# TYPE (nodejs_active_(?:handles|requests|resources)_total) gauge$/gm;

async function present(registries: Registry[]): Promise<string> {
  const texts = await Promise.all(registries.map((registry) => registry.metrics()));
  return texts.join('\n').replaceAll(misnamed, '# TYPE $1 untyped');
}
