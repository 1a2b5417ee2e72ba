import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { AllMetrics } from '../process/part.ts';

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
