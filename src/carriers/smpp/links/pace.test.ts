import assert from 'node:assert/strict';
import { it } from 'node:test';
import { makeManualTiming } from '../../../../test/kit/smpp/session-stage.ts';
import { makeMeter } from './meter.ts';
import { makePace } from './pace.ts';

/** How many of so many got their turn within each of the seconds. */
async function leavePerSecond(perSecond: number | null, wanted: number, seconds: number, slowAt = -1) {
  const timing = makeManualTiming();
  const pace = makePace(perSecond, timing);
  let left = 0;
  for (let count = 0; count < wanted; count++) void pace.turn().then(() => left++);
  const perEach: number[] = [];
  for (let second = 0; second < seconds; second++) {
    const before = left;
    if (second === slowAt) for (let told = 0; told < 50; told++) pace.slower();
    for (let step = 0; step < 100; step++) {
      timing.advance(10);
      await Promise.resolve();
    }
    perEach.push(left - before);
  }
  return { perEach, pace, timing };
}

it('keeps to the rate that was agreed, also after a rest', async () => {
  const { perEach, pace, timing } = await leavePerSecond(50, 200, 5);
  assert.equal(pace.waiting(), 0);
  for (const count of perEach.slice(0, 3)) assert.ok(count >= 49 && count <= 52, String(perEach));
  timing.advance(60_000);
  let left = 0;
  for (let count = 0; count < 10; count++) void pace.turn().then(() => left++);
  await Promise.resolve();
  assert.ok(left <= 3, String(left));
});

it('without an agreement nothing waits', async () => {
  const { pace } = await leavePerSecond(null, 10_000, 1);
  assert.equal(pace.waiting(), 0);
  assert.equal(pace.perSecond(), null);
});

it('half as fast once told, however often in one second, then a little faster every second until it is back', async () => {
  const { perEach, pace, timing } = await leavePerSecond(100, 10_000, 5, 2);
  assert.ok(perEach[2]! >= 48 && perEach[2]! <= 56, String(perEach));
  assert.ok(perEach[3]! > perEach[2]!, String(perEach));
  timing.advance(60_000);
  assert.equal(pace.perSecond(), 100);
});

it('told again and again it comes down to one a second and no lower', () => {
  const timing = makeManualTiming();
  const pace = makePace(8, timing);
  for (let told = 0; told < 50; told++) {
    pace.slower();
    timing.advance(1_000);
  }
  const rate = pace.perSecond()!;
  assert.ok(rate >= 1 && rate <= 2.1, String(rate));
});

it('where nothing was agreed, half of what was sent is where it begins', async () => {
  const timing = makeManualTiming();
  const pace = makePace(null, timing);
  for (let count = 0; count < 400; count++) await pace.turn();
  pace.slower();
  assert.equal(pace.perSecond(), 200);
  timing.advance(1_000);
  assert.equal(pace.perSecond(), 220);
});

it('counts slide out of the last minute and the last five', () => {
  const timing = makeManualTiming();
  const meter = makeMeter(timing);
  meter.count('sent');
  meter.count('failed');
  meter.count('throttled');
  timing.advance(70_000);
  meter.count('sent');
  assert.deepEqual(meter.read().lastMinute, { sent: 1, failed: 0, throttled: 0 });
  assert.deepEqual(meter.read().lastFiveMinutes, { sent: 2, failed: 1, throttled: 1 });
  timing.advance(300_000);
  assert.deepEqual(meter.read().lastFiveMinutes, { sent: 0, failed: 0, throttled: 0 });
});

it('latencies are told as median and 99th percentile, right within a tenth or so', () => {
  const meter = makeMeter(makeManualTiming());
  assert.equal(meter.read().latencyMs, null);
  for (let count = 0; count < 98; count++) meter.latency(20);
  meter.latency(5_000);
  meter.latency(5_000);
  const { p50, p99 } = meter.read().latencyMs!;
  assert.ok(Math.abs(p50 - 20) <= 3, String(p50));
  assert.ok(Math.abs(p99 - 5_000) <= 600, String(p99));
});
