import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { newId } from '../ids.ts';
import { inRequest } from './context.ts';
import { startOtel } from './otel.ts';
import { firstSpanIdOf, makeTraces, readTraceparent, type TraceSpan, traceIdOf, withTracedId } from './traces.ts';

const uuid = '0199b0c2-7f00-7abc-8def-0123456789ab';

test('a trace is named by the uuid of its message, and its first span by a part of it', () => {
  assert.equal(traceIdOf(uuid), '0199b0c27f007abc8def0123456789ab');
  assert.equal(firstSpanIdOf(uuid), '8def0123456789ab');
});

test('a traceparent is read as the W3C writes it, and anything else is none', () => {
  const ids = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
  assert.deepEqual(readTraceparent(`00-${ids.traceId}-${ids.spanId}-01`), ids);
  assert.deepEqual(readTraceparent(`cc-${ids.traceId}-${ids.spanId}-00-later`), ids);
  for (const wrong of [
    undefined,
    '',
    'nonsense',
    `ff-${ids.traceId}-${ids.spanId}-01`,
    `00-${'0'.repeat(32)}-${ids.spanId}-01`,
    `00-${ids.traceId}-${'0'.repeat(16)}-01`,
    `00-${ids.traceId.toUpperCase()}-${ids.spanId}-01`,
  ]) {
    assert.equal(readTraceparent(wrong), undefined, String(wrong));
  }
});

test('the first thing that is accepted for a request has the trace of the request, the next ones have their own', () => {
  const sent: { spanId: string; span: TraceSpan }[] = [];
  const sink = {
    isSampled: () => true,
    send: ({ spanId }: { spanId: string }, span: TraceSpan) => void sent.push({ spanId, span }),
    stop: async () => {},
  };
  const traces = makeTraces(sink, () => 'aaaaaaaaaaaaaaaa');
  const request = traces.begin('r', undefined);
  const [first, second] = inRequest(request, () => [withTracedId({ a: 1 }), withTracedId({ a: 2 })]);
  assert.deepEqual([first!.uuid, second!.uuid], [request.uuid, undefined]);
  assert.equal(withTracedId({ a: 3 }).uuid, undefined);
  assert.ok(traces.isBegun(request.uuid));
  traces.end(request, { operation: 'x', method: 'POST', route: '/x', status: 201, durationMs: 5 });
  assert.ok(!traces.isBegun(request.uuid));
  assert.deepEqual(
    sent.map(({ spanId, span }) => [spanId, span.name, Math.round(span.endMs - span.startMs)]),
    [[firstSpanIdOf(request.uuid), 'POST /x', 5]],
  );
});

test('every process samples the same messages, about as many as it is told to', async () => {
  const options = {
    endpoint: 'http://127.0.0.1:1',
    serviceName: 'x',
    serviceVersion: '1',
    instance: '1',
    log: pino({ level: 'silent' }),
    count: () => {},
  };
  const [one, other, none, all] = [
    startOtel({ ...options, sampler: 'traceidratio', ratio: 0.25 }),
    startOtel({ ...options, sampler: 'parentbased_traceidratio', ratio: 0.25 }),
    startOtel({ ...options, sampler: 'always_off', ratio: 1 }),
    startOtel({ ...options, sampler: 'parentbased_always_on', ratio: 0 }),
  ];
  const uuids = Array.from({ length: 4000 }, newId);
  const sampled = uuids.filter((uuid) => one!.isSampled(uuid));
  assert.deepEqual(
    sampled,
    uuids.filter((uuid) => other!.isSampled(uuid)),
  );
  // Eleven standard deviations.
  assert.ok(sampled.length > 700 && sampled.length < 1300, String(sampled.length));
  assert.ok(uuids.every((uuid) => !none!.isSampled(uuid) && all!.isSampled(uuid)));
  for (const traces of [one, other, none, all]) await traces!.stop();
});
