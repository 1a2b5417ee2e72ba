import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Counter, Gauge } from 'prom-client';
import { makeMetrics, mergeMetrics } from './metrics.ts';

test('the metrics of several processes are summed, those that they have in common are not, and silent ones are counted', async () => {
  const registryOf = async (requests: number) => {
    const registry = makeMetrics();
    new Counter({ name: 'requests_total', help: 'x', labelNames: ['status'], registers: [registry] }).inc(
      { status: '200' },
      requests,
    );
    new Gauge({ name: 'disk_bytes', help: 'x', aggregator: 'first', registers: [registry] }).set(7);
    return registry.getMetricsAsJSON();
  };
  const text = await mergeMetrics({ of: [await registryOf(2), await registryOf(3)], silent: 1, restarts: 4 });
  for (const line of [
    'requests_total{status="200"} 5',
    'disk_bytes 7',
    'parley_processes 2',
    'parley_processes_silent 1',
    'parley_process_restarts 4',
  ]) {
    assert.ok(text.split('\n').includes(line), `${line}\n${text}`);
  }
  assert.match(text, /^process_cpu_seconds_total \d/m);
});
