import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Pool } from 'pg';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Shows the connections of each pool at `/metrics`, and how many statements wait for one. */
export function showPools(registry: Registry, pools: Record<string, Pool>): void {
  const connections = new Gauge({
    name: 'parley_database_connections',
    help: 'Open connections to the database, by pool and state.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'busy' }, totalCount - idleCount);
      }
    },
  });
  const largest = new Gauge({
    name: 'parley_database_connections_max',
    help: 'How many connections a pool may open.',
    labelNames: ['pool'],
    registers: [registry],
  });
  for (const [pool, { options }] of Object.entries(pools)) {
    connections.set({ pool, state: 'idle' }, 0);
    largest.set({ pool }, options.max);
  }
  new Gauge({
    name: 'parley_database_waiting_requests',
    help: 'Statements and transactions that wait for a connection, by pool.',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const [pool, { waitingCount }] of Object.entries(pools)) this.set({ pool }, waitingCount);
    },
  });
}

const resolutionMs = 20;

/** Shows how long timers of this process were late since the last scrape; of several processes, that of the slowest. */
export function showEventLoopDelay(registry: Registry): { stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  // What it measures is the pause between two ticks; the delay is what that pause is longer than it was to be.
  const secondsOf = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
  const isEmpty = (): boolean => delay.count === 0;
  new Gauge({
    name: 'parley_event_loop_delay_p99_seconds',
    help: 'Event-loop delay since the last scrape, 99th percentile.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(isEmpty() ? 0 : secondsOf(delay.percentile(99)));
    },
  });
  new Gauge({
    name: 'parley_event_loop_delay_max_seconds',
    help: 'Event-loop delay since the last scrape, longest.',
    aggregator: 'max',
    registers: [registry],
    // Registered last, and so read last.
    collect() {
      this.set(isEmpty() ? 0 : secondsOf(delay.max));
      delay.reset();
    },
  });
  return { stop: () => void delay.disable() };
}

/** What became of the spans of traces. */
export function spanCounter(registry: Registry): Counter<'result'> {
  const spans = new Counter({
    name: 'parley_trace_spans_total',
    help: 'Spans of traces: exported, failed (the collector did not take them) or dropped (too many were waiting).',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of ['exported', 'failed', 'dropped']) spans.inc({ result }, 0);
  return spans;
}
