import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { makeObserver } from './observer.ts';

const shown = async (registry: Registry, series: string): Promise<string | undefined> =>
  (await registry.metrics())
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.slice(series.length + 1);

test('a branch counts what it was told when it is committed, and nothing when it is not', async () => {
  const registry = new Registry();
  const observer = makeObserver(registry);
  const rolledBack = observer.branch();
  const committed = observer.branch();
  for (const { observer: inside } of [rolledBack, committed]) {
    inside.steps('message', [{ uuid: 'a', status: 'SENT' }], 0);
    inside.branch().observer.job('messages.send', 'FAILED');
    const part = inside.branch();
    part.observer.job('messages.send', 'SUCCEEDED');
    part.commit();
  }
  const sent = 'parley_messages_total{status="sent"}';
  assert.equal(await shown(registry, sent), '0');
  committed.commit();
  assert.equal(await shown(registry, sent), '1');
  const finished = (status: string) =>
    shown(registry, `parley_jobs_finished_total{type="messages.send",status="${status}"}`);
  assert.deepEqual([await finished('succeeded'), await finished('failed')], ['1', undefined]);
});

test('packets and jitter of a leg are counted in base units, and a leg that heard nothing has no jitter', async () => {
  const registry = new Registry();
  const observer = makeObserver(registry);
  observer.speech({ received: 98, lost: 2, sent: 100, jitterMs: 4 });
  observer.speech({ received: 0, lost: 0, sent: 50, jitterMs: 0 });
  assert.equal(await shown(registry, 'parley_rtp_packets_total{state="lost"}'), '2');
  assert.equal(await shown(registry, 'parley_rtp_packets_total{state="sent"}'), '150');
  assert.equal(await shown(registry, 'parley_rtp_jitter_seconds_count'), '1');
  assert.equal(await shown(registry, 'parley_rtp_jitter_seconds_sum'), '0.004');
});
