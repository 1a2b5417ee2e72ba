// One trace for each message, from the request to the last receipt, whichever process does what.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { openWindows } from '../cloud/outbound-props.ts';
import { type CloudStage, startCloudStage } from '../cloud/stage.ts';
import { startTestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';
import { type CollectedSpan, type Collector, startCollector } from './collector.ts';
import { readMetrics } from './read-metrics.ts';

const person = '+447700900123';
const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;
const namesOf = (spans: CollectedSpan[]) => spans.map(({ name }) => name);

/** The spans of a trace, once it has all of these. */
const traceWith = (collector: Collector, uuid: string, names: string[]) =>
  until(
    `a trace with ${names.join(', ')}`,
    () => collector.of(uuid),
    (spans) => names.every((name) => namesOf(spans).includes(name)),
  );

/** Whatever the trace is about: it has one first span, to which all others belong, and times that can be. */
function assertWhole(spans: CollectedSpan[], first: string): void {
  const [root, ...others] = spans.filter(({ parentSpanId }) => !parentSpanId);
  assert.deepEqual([root?.name, others.length], [first, 0]);
  for (const span of spans) {
    assert.ok(span === root || span.parentSpanId === root!.spanId, `${span.name} belongs to the first span`);
    assert.ok(BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano), span.name);
    assert.equal(span.service, 'parley-test');
  }
  assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);
}

describe('with a collector', () => {
  let collector: Collector;
  let stage: CloudStage;
  /** A message that the person wrote. */
  let written: { uuid: string };
  before(async () => {
    collector = await startCollector();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'parley-test' };
    // Slow enough that one receipt comes after the other.
    stage = await startCloudStage({ speed: 20 }, { ...env, WEBHOOK_ALLOW_PRIVATE: 'true' });
    written = (await openWindows(stage, [person])).get(person)!;
  });
  after(async () => {
    await stage.close();
    await collector.close();
  });

  it('a message is one trace: request, acceptance, queue, hand-over, the request to the carrier, receipts, webhooks', async () => {
    const { body, status } = await stage.app.call(
      'POST',
      '/v2/chatapp/messages/',
      {
        chatapp_number: stage.number,
        to_chatapp_number: person,
        type: 'TEXT',
        text: { body: 'Hello' },
        callback_url: `${collector.url}/callback`,
      },
      { headers: { traceparent, 'x-request-id': 'request-1' } },
    );
    assert.equal(status, 201, JSON.stringify(body));
    await stage.reaches(body.uuid, 'READ');
    const names = [
      'POST /v2/chatapp/messages/',
      'message accepted',
      'message queued',
      'message handed over to cloud-api',
      'POST /messages',
      'message sent',
      'message receipt: delivered',
      'message receipt: read',
      'webhook chatapp.message.status',
    ];
    await traceWith(collector, body.uuid, names);
    const spans = await until(
      'each step is told to the webhook',
      () => collector.of(body.uuid),
      (spans) => namesOf(spans).filter((name) => name.startsWith('webhook')).length === 3,
    );
    assertWhole(spans, 'POST /v2/chatapp/messages/');
    assert.deepEqual([...new Set(namesOf(spans))].toSorted(), names.toSorted());
    const named = (name: string) => spans.find((span) => span.name === name)!;
    const request = named('POST /v2/chatapp/messages/');
    assert.deepEqual(
      request.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
      [caller],
    );
    assert.equal(request.attributes['http.response.status_code'], 201);
    assert.equal(request.attributes['parley.request_id'], 'request-1');
    assert.equal(named('POST /messages').attributes['http.response.status_code'], 200);
    assert.equal(named('message handed over to cloud-api').attributes['parley.outcome'], 'accepted');
    assert.equal(named('webhook chatapp.message.status').attributes['http.response.status_code'], 200);
    const order = ['message accepted', 'message handed over to cloud-api', 'message receipt: read'];
    const starts = order.map((name) => BigInt(named(name).startTimeUnixNano));
    assert.deepEqual(
      starts,
      starts.toSorted((a, b) => (a < b ? -1 : 1)),
    );
  });

  it('an SMS is one, too, and so is a call', async () => {
    // Another tenant, whose carrier is the sandbox.
    const asOther = { token: stage.app.otherToken };
    const texted = { from: '+447700900001', to: person, text: 'Hello' };
    const sms = await stage.app.call('POST', '/v2/send-sms/', texted, asOther);
    assert.equal(sms.status, 201, JSON.stringify(sms.body));
    const steps = ['accepted', 'queued', 'handed over to sandbox', 'sent', 'receipt: delivered'];
    const spans = await traceWith(
      collector,
      sms.body.uuid,
      steps.map((step) => `sms ${step}`),
    );
    const [root] = spans.filter(({ parentSpanId }) => !parentSpanId);
    assertWhole(spans, root!.name);
    assert.match(root!.name, /^POST \/v2\//);

    const dialled = { from: '+447700900001', to: person, tts: 'Hello' };
    const call = await stage.app.call('POST', '/v2/voice/calls/', dialled, asOther);
    assert.equal(call.status, 201, JSON.stringify(call.body));
    const talk = await traceWith(collector, call.body.uuid, ['call outbound', 'call until answered', 'call talking']);
    assertWhole(talk, 'call outbound');
  });

  it('a message that a person wrote begins with what was received, and a request that sends nothing is one span', async () => {
    assertWhole(await traceWith(collector, written.uuid, ['message received']), 'message received');
    await stage.app.call('GET', '/v2/account/', undefined, { headers: { 'x-request-id': 'request-2' } });
    const [request] = await until(
      'the request',
      () => collector.spans.filter(({ attributes }) => attributes['parley.request_id'] === 'request-2'),
      ({ length }) => length > 0,
    );
    assert.match(request!.name, /^GET \/v2\/account/);
    assert.equal(request!.parentSpanId, undefined);
    const { value } = await readMetrics(stage.app);
    assert.ok(value('parley_trace_spans_total{result="exported"}')! > 0);
    assert.equal(value('parley_trace_spans_total{result="dropped"}'), 0);
  });
});

describe('without a collector that works', () => {
  const message = {
    chatapp_number: '+447700900001',
    to_chatapp_number: person,
    type: 'TEMPLATE',
    template: { template_name: 'welcome' },
  };

  it('messages go their way, and spans that nobody took are counted', async () => {
    // Port 1 is nobody's.
    const app = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', LOG_LEVEL: 'silent' });
    try {
      const { body } = await app.call('POST', '/v2/chatapp/messages/', message);
      await until(async () => {
        const { body: seen } = await app.call('GET', `/v2/chatapp/messages/${body.uuid}/`);
        return seen.status === 'READ';
      });
      const failed = 'parley_trace_spans_total{result="failed"}';
      await until('spans failed', async () => ((await readMetrics(app)).value(failed) ?? 0) > 0);
    } finally {
      await app.close();
    }
  });

  it('nothing of it is read where none is set', async () => {
    const program = `
      import { registerHooks } from 'node:module';
      const read = [];
      registerHooks({ resolve: (name, context, next) => (read.push(name), next(name, context)) });
      await import('./src/start.ts');
      console.log(JSON.stringify(read.filter((name) => name.includes('opentelemetry') || name.endsWith('otel.ts'))));
      console.log(read.length);
      process.exit();`;
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program]);
    const [read, count] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.ok(count > 1000, 'the program was read');
    // The metrics library names one package for its own use.
    assert.deepEqual(new Set(read), new Set(['@opentelemetry/api']));
  });
});
