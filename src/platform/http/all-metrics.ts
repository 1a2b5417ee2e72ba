import { AggregatorRegistry, Gauge, Registry } from 'prom-client';
import type { AllMetrics } from '../process/part.ts';

/** The metrics of all processes of a server, as one of them shows them at `/metrics`: sums, unless a metric says otherwise. */
export async function mergeMetrics({ of, silent, restarts }: AllMetrics): Promise<string> {
  const about = new Registry();
  const show = (name: string, help: string, value: number): void =>
    new Gauge({ name, help, registers: [about] }).set(value);
  show('parley_processes', 'Processes of this server whose metrics are summed here.', of.length);
  show('parley_processes_silent', 'Processes of this server that did not answer in time and are left out.', silent);
  show('parley_process_restarts', 'Times that a process of this server ended unasked and was started again.', restarts);
  const texts = [AggregatorRegistry.aggregate(of).metrics(), about.metrics()];
  return (await Promise.all(texts)).join('\n');
}
