// Imported only where traces are on: see `start.ts`.
import { randomBytes } from 'node:crypto';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../log.ts';
import { within } from '../time/pause.ts';
import { makeTraces, type SpanSink, type Traces } from './traces.ts';

export type SpanResult = 'exported' | 'failed' | 'dropped';

export interface OtelOptions {
  /** Of the collector, without the path. */
  endpoint: string;
  serviceName: string;
  serviceVersion: string;
  /** Tells the processes of a service apart. */
  instance: string;
  sampler: string;
  /** The share of traces that are sampled, for samplers that take one. */
  ratio: number;
  log: Log;
  count(result: SpanResult, spans: number): void;
}

/** How many spans wait for the collector at most; further ones are dropped. */
const mostWaiting = 4096;
const largestBatch = 512;
const pauseMs = 1_000;
/** For one export, its repetitions included. */
const exportMs = 5_000;
const lastExportMs = 2_000;

/** Sends spans to a collector over OTLP/HTTP. One that is away costs a counter, and the memory of what waits. */
export function startOtel(options: OtelOptions): Traces {
  const newSpanId = (): string => randomBytes(8).toString('hex');
  let nextTraceId = '';
  let nextSpanId = '';
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': options.serviceVersion,
      'service.instance.id': options.instance,
    }),
    // Decided before, by the trace id alone: every process comes to the same.
    sampler: new AlwaysOnSampler(),
    idGenerator: { generateTraceId: () => nextTraceId, generateSpanId: () => nextSpanId },
    spanProcessors: [makeProcessor(options)],
  });
  const tracer = provider.getTracer('parley', options.serviceVersion);
  const sampler = samplerOf(options);
  const sink: SpanSink = {
    isSampled: (traceId) =>
      sampler.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.INTERNAL, {}, []).decision ===
      SamplingDecision.RECORD_AND_SAMPLED,
    send({ traceId, spanId, parentId }, { name, kind = 'internal', startMs, endMs, attributes, error, link }) {
      nextTraceId = traceId;
      nextSpanId = spanId;
      const traceFlags = TraceFlags.SAMPLED;
      const parent =
        parentId === undefined
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags, isRemote: true });
      const span = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          startTime: startMs,
          ...(attributes && { attributes }),
          ...(link && { links: [{ context: { ...link, traceFlags, isRemote: true } }] }),
        },
        parent,
      );
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
      span.end(Math.max(startMs, endMs));
    },
    async stop() {
      await within(
        lastExportMs,
        provider.shutdown().catch(() => {}),
      );
    },
  };
  return makeTraces(sink, newSpanId);
}

const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };

/** Of whose parent a span is makes no difference here: callers are linked to. */
function samplerOf({ sampler, ratio }: OtelOptions): Sampler {
  if (sampler.endsWith('always_off')) return new AlwaysOffSampler();
  return sampler.endsWith('traceidratio') ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}

function makeProcessor({ endpoint, log, count }: OtelOptions): SpanProcessor {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: exportMs,
  });
  let waiting = 0;
  let isFailing = false;
  const counted: SpanExporter = {
    export(spans, done) {
      exporter.export(spans, (result) => {
        waiting -= spans.length;
        // As in the SDK: 0 is success.
        const hasFailed = result.code !== 0;
        count(hasFailed ? 'failed' : 'exported', spans.length);
        if (hasFailed !== isFailing) {
          if (hasFailed) log.warn({ error: result.error?.message }, 'The collector of traces does not take spans');
          else log.info('The collector of traces takes spans again');
        }
        isFailing = hasFailed;
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor({
    exporter: counted,
    // More than are let in below.
    maxQueueSize: mostWaiting + largestBatch,
    maxExportBatchSize: largestBatch,
    scheduledDelayMillis: pauseMs,
    exportTimeoutMillis: exportMs + 1_000,
  });
  return {
    onStart: () => {},
    onEnd(span: ReadableSpan) {
      if (waiting >= mostWaiting) return count('dropped', 1);
      waiting++;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}
