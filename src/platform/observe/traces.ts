import { newId } from '../ids.ts';
import { exactMs } from '../time/clock.ts';
import { currentRequest, type RequestContext } from './context.ts';

/**
 * Traces: one for each message, SMS and call. The trace id is the uuid itself, which has as many bits, and the first span has an id that
 * is part of it: every process that has to do with a message adds its spans to the same trace, and nothing is stored or passed on for that
 * ([42](../../../docs/decisions/0042-a-trace-is-named-by-its-message.md)).
 */
export interface Traces {
  isSampled(uuid: string): boolean;
  /** Adds a span that is over to the trace of what has this uuid. */
  add(span: TraceSpan): void;
  /** A request has come: the trace that it begins. The first message that is accepted for it has the same. */
  begin(requestId: string, traceparent: string | string[] | undefined): TracedRequest;
  /** It has been answered. */
  end(request: TracedRequest, answered: AnsweredRequest): void;
  /** Whether a request that is still being answered began this trace. */
  isBegun(uuid: string): boolean;
  /** Exports what there is, if that takes no longer than a moment. */
  stop(): Promise<void>;
}

export type TraceAttributes = Record<string, string | number | boolean>;

export interface TraceSpan {
  uuid: string;
  name: string;
  /** By the time of the process, in milliseconds since 1970. */
  startMs: number;
  endMs: number;
  /** The first of its trace, to which all others belong. */
  isFirst?: boolean;
  kind?: 'internal' | 'server' | 'client';
  attributes?: TraceAttributes;
  /** What went wrong. */
  error?: string | undefined;
  /** A span of another trace that led to this one. */
  link?: SpanName | undefined;
}

export interface SpanName {
  traceId: string;
  spanId: string;
}

export interface TracedRequest extends RequestContext {
  uuid: string;
  caller: SpanName | undefined;
  /** Something that was accepted for it has its uuid. */
  isTaken?: boolean;
}

export interface AnsweredRequest {
  operation: string;
  method: string;
  route: string;
  status: number;
  durationMs: number;
}

/** What a process that sends spans somewhere has to do itself. */
export interface SpanSink {
  isSampled(traceId: string): boolean;
  send(name: SpanName & { parentId: string | undefined }, span: TraceSpan): void;
  stop(): Promise<void>;
}

export const traceIdOf = (uuid: string): string => uuid.replaceAll('-', '');
/** Never zero: the variant of a UUID is in it. */
export const firstSpanIdOf = (uuid: string): string => traceIdOf(uuid).slice(16);

/** The W3C's `traceparent` of a caller; undefined: it has none that is well-formed. */
export function readTraceparent(header: string | string[] | undefined): SpanName | undefined {
  const match = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/.exec(String(header ?? ''));
  if (!match || /^0+$/.test(match[1]!) || /^0+$/.test(match[2]!)) return undefined;
  return { traceId: match[1]!, spanId: match[2]! };
}

/** Gives the first thing that is accepted for a request the uuid of its trace, so that both are one; where traces are on. */
export function withTracedId<T extends object>(item: T): T & { uuid?: string } {
  const uuid = takeTracedId();
  return uuid === undefined ? item : { uuid, ...item };
}

function takeTracedId(): string | undefined {
  const context = currentRequest() as Partial<TracedRequest> | undefined;
  if (context?.uuid === undefined || context.isTaken) return undefined;
  context.isTaken = true;
  return context.uuid;
}

export function makeTraces(sink: SpanSink, newSpanId: () => string): Traces {
  /** Of requests that are being answered, and sampled. */
  const begun = new Set<string>();
  const isSampled = (uuid: string): boolean => sink.isSampled(traceIdOf(uuid));
  const add = (span: TraceSpan): void => {
    const { uuid, isFirst = false } = span;
    if (!isSampled(uuid)) return;
    const first = firstSpanIdOf(uuid);
    const ids = isFirst ? { spanId: first, parentId: undefined } : { spanId: newSpanId(), parentId: first };
    sink.send({ traceId: traceIdOf(uuid), ...ids }, span);
  };
  return {
    isSampled,
    add,
    begin(requestId, traceparent) {
      const uuid = newId();
      if (isSampled(uuid)) begun.add(uuid);
      const ids = { traceId: traceIdOf(uuid), spanId: firstSpanIdOf(uuid) };
      return { requestId, uuid, ...ids, caller: readTraceparent(traceparent) };
    },
    end({ uuid, requestId, caller }, { operation, method, route, status, durationMs }) {
      begun.delete(uuid);
      const endMs = exactMs();
      add({
        uuid,
        name: `${method} ${route}`,
        kind: 'server',
        startMs: endMs - durationMs,
        endMs,
        isFirst: true,
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
          'parley.operation': operation,
          'parley.request_id': requestId,
        },
        error: status >= 500 ? `Status ${status}` : undefined,
        link: caller,
      });
    },
    isBegun: (uuid) => begun.has(uuid),
    stop: () => sink.stop(),
  };
}
