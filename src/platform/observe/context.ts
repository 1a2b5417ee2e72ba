import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that is being answered, for log lines and traces. */
export interface RequestContext {
  requestId: string;
  /** While traces are on: of the span of the request. */
  traceId?: string;
  spanId?: string;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** Runs what answers a request; whatever is awaited there knows which request it is for. */
export const inRequest = <T>(context: RequestContext, work: () => T): T => contexts.run(context, work);

/** Runs what is done for several requests at once, or for none. */
export const outsideRequests = <T>(work: () => T): T => contexts.exit(work);

export const currentRequest = (): RequestContext | undefined => contexts.getStore();

/** What log lines say of the request that they are written in. */
export function requestFields(): object {
  const context = contexts.getStore();
  if (!context) return {};
  const { requestId, traceId, spanId } = context;
  return traceId === undefined ? { requestId } : { requestId, trace_id: traceId, span_id: spanId };
}
