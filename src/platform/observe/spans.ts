import { exactMs } from '../time/clock.ts';
import { currentRequest } from './context.ts';
import type { ObservedAttempt, ObservedCall, ObservedHandOver, ObservedStep, Subject } from './observer.ts';
import type { SpanName, TraceSpan, Traces } from './traces.ts';

/** What each thing that happens looks like in a trace. Times are those of the process, but for calls: those are of their carrier. */

/** When something was made, by its UUIDv7. */
const madeMs = (uuid: string): number => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);

const verbs: Record<string, string> = { QUEUED: 'accepted' };

/** Steps of messages. The first of a trace is what brought the message: a request, or else that it was accepted or received. */
export function spansOfSteps(
  traces: Pick<Traces, 'isBegun' | 'isSampled'>,
  subject: Subject,
  steps: readonly ObservedStep[],
  sinceMs: number,
): TraceSpan[] {
  const endMs = exactMs();
  const link = requestLink();
  return steps
    .filter(({ uuid }) => traces.isSampled(uuid))
    .map(({ uuid, status, source }) => {
      const isFirst = (status === 'QUEUED' && !traces.isBegun(uuid)) || status === 'RECEIVED';
      const verb = verbs[status] ?? status.toLowerCase();
      return {
        uuid,
        name: source === 'receipt' ? `${subject} receipt: ${verb}` : `${subject} ${verb}`,
        startMs: sinceMs,
        endMs,
        isFirst,
        attributes: {
          'parley.status': status.toLowerCase(),
          'parley.uuid': uuid,
          ...(source && { 'parley.source': source }),
        },
        error: status === 'FAILED' ? 'It failed.' : undefined,
        ...(isFirst && { link }),
      };
    });
}

/** The span of the request that is being answered, for what has a trace of its own. */
function requestLink(): SpanName | undefined {
  const { traceId, spanId } = currentRequest() ?? {};
  return traceId !== undefined && spanId !== undefined ? { traceId, spanId } : undefined;
}

/** The time in the queue, at the first attempt, and the hand-over itself. */
export function spansOfHandOver(
  subject: Subject,
  { carrier, claimedMs, claimed, outcomes }: ObservedHandOver,
): TraceSpan[] {
  const endMs = exactMs();
  return claimed.flatMap(({ uuid, attempts }, index): TraceSpan[] => {
    const outcome = outcomes[index]!.kind;
    const handedOver: TraceSpan = {
      uuid,
      name: `${subject} handed over to ${carrier}`,
      kind: 'client',
      startMs: claimedMs,
      endMs,
      attributes: { 'parley.carrier': carrier, 'parley.attempt': attempts, 'parley.outcome': outcome },
      error: outcome === 'accepted' ? undefined : `The outcome is: ${outcome}.`,
    };
    if (attempts > 1) return [handedOver];
    return [
      { uuid, name: `${subject} queued`, startMs: Math.min(madeMs(uuid), claimedMs), endMs: claimedMs },
      handedOver,
    ];
  });
}

/** Events of these are part of the trace of what they are about. */
const traced = /^(chatapp\.message|sms|call)\./;

export function spansOfAttempt({ event, succeeded, statusCode, error, durationMs }: ObservedAttempt): TraceSpan[] {
  if (event.subject === null || !traced.test(event.type)) return [];
  const endMs = exactMs();
  return [
    {
      uuid: event.subject,
      name: `webhook ${event.type}`,
      kind: 'client',
      startMs: endMs - durationMs,
      endMs,
      attributes: {
        'parley.event': event.type,
        'parley.attempt': event.attempt,
        ...(statusCode !== null && { 'http.response.status_code': statusCode }),
      },
      error: succeeded ? undefined : error,
    },
  ];
}

/** A call is told whole, when it has ended. */
export function spansOfCall(call: ObservedCall): TraceSpan[] {
  const { uuid, direction, carrier, result, started_at, answered_at, ended_at } = call;
  if (ended_at === null) return [];
  const endMs = Date.parse(ended_at);
  const startMs = started_at === null ? endMs : Date.parse(started_at);
  const answeredMs = answered_at === null ? endMs : Date.parse(answered_at);
  const whole: TraceSpan = {
    uuid,
    name: `call ${direction.toLowerCase()}`,
    kind: direction === 'INBOUND' ? 'server' : 'client',
    startMs,
    endMs,
    isFirst: true,
    attributes: { 'parley.carrier': carrier, 'parley.result': (result ?? 'failed').toLowerCase(), 'parley.uuid': uuid },
    error: result === 'FAILED' ? 'It failed.' : undefined,
  };
  const ringing: TraceSpan = { uuid, name: 'call until answered', startMs, endMs: answeredMs };
  return answered_at === null ? [whole] : [whole, ringing, { uuid, name: 'call talking', startMs: answeredMs, endMs }];
}
