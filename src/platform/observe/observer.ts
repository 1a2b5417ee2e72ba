import { Counter, Histogram, type Registry } from 'prom-client';
import { exactMs } from '../time/clock.ts';
import { spansOfAttempt, spansOfCall, spansOfHandOver, spansOfSteps } from './spans.ts';
import type { TraceSpan, Traces } from './traces.ts';

/** What is sent or received, step by step. */
export type Subject = 'message' | 'sms';

/** Something that took a step, and where it stands now. */
export interface ObservedStep {
  uuid: string;
  status: string;
  /** Who said so, where that matters. */
  source?: 'hand_over' | 'receipt';
}

/** What was claimed together, and given to a carrier. */
export interface ObservedHandOver {
  carrier: string;
  claimedMs: number;
  claimed: readonly { uuid: string; attempts: number }[];
  /** Of each of them. */
  outcomes: readonly { kind: string }[];
}

/** An attempt to deliver an event to a webhook. */
export interface ObservedAttempt {
  succeeded: boolean;
  /** null: there is no further attempt. */
  nextAttempt: Date | null;
  durationMs: number;
  /** null: no answer came. */
  statusCode: number | null;
  error: string;
  event: { type: string; subject: string | null; attempt: number };
}

export interface ObservedCall {
  uuid: string;
  direction: string;
  carrier: string;
  result: string | null;
  started_at: string | null;
  answered_at: string | null;
  ended_at: string | null;
}

/** A request to a carrier, for one message. */
export interface ObservedRequest {
  uuid: string;
  name: string;
  startMs: number;
  attributes: Record<string, string | number>;
}

/** How the packets of one leg arrived, told when the leg is over. */
export interface ObservedSpeech {
  received: number;
  lost: number;
  sent: number;
  jitterMs: number;
}

/**
 * Hears what happens, once it is committed: counts it for `/metrics`, and adds it to traces where these are on. Labels are words of ours, never an account, a number or an
 * id: there are as many series with one tenant as with a million.
 */
export interface Observer {
  /** `sinceMs`: when that began which led to these steps (`exactMs`). */
  steps(subject: Subject, steps: readonly ObservedStep[], sinceMs: number): void;
  /** Has just ended. */
  handOver(subject: Subject, handOver: ObservedHandOver): void;
  /** Has just ended; undefined while there are no traces. */
  readonly request: ((request: ObservedRequest) => void) | undefined;
  call(step: 'started' | 'answered' | 'ended', call: ObservedCall): void;
  speech(stats: ObservedSpeech): void;
  attempt(attempt: ObservedAttempt): void;
  job(type: string, status: string): void;
  campaign(step: string): void;
  /** One of these was given up, so that others are not held up. */
  setAside(what: string): void;
  /** For a transaction: hears at the commit what it is told until then; one that rolls back tells nothing. */
  branch(): { observer: Observer; commit(): void };
}

const statuses: Record<Subject, readonly string[]> = {
  message: ['QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELLED', 'RECEIVED'],
  sms: ['QUEUED', 'SENT', 'DELIVERED', 'FAILED', 'CANCELLED', 'RECEIVED'],
};

export function makeObserver(registry: Registry, traces?: Traces): Observer {
  const registers = [registry];
  const stepCounts = {
    message: makeStepCounts('parley_messages_total', 'Chat messages that reached a status.', statuses.message),
    sms: makeStepCounts('parley_sms_total', 'SMS that reached a status.', statuses.sms),
  };
  const calls = new Counter({
    name: 'parley_calls_total',
    help: 'Calls that were started or answered, by direction.',
    labelNames: ['direction', 'step'],
    registers,
  });
  const endedCalls = new Counter({
    name: 'parley_calls_ended_total',
    help: 'Calls that ended, by direction and result.',
    labelNames: ['direction', 'result'],
    registers,
  });
  const attempts = new Counter({
    name: 'parley_webhook_attempts_total',
    help: 'Attempts to deliver a webhook event: succeeded, retry (another attempt follows) or failed (none does).',
    labelNames: ['outcome'],
    registers,
  });
  const attemptDurations = new Histogram({
    name: 'parley_webhook_attempt_duration_seconds',
    help: 'How long receivers of webhook events took to respond.',
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const jobs = new Counter({
    name: 'parley_jobs_finished_total',
    help: 'Jobs that ended, by type and status.',
    labelNames: ['type', 'status'],
    registers,
  });
  const campaigns = new Counter({
    name: 'parley_campaign_steps_total',
    help: 'Launches of campaigns that were scheduled, started, paused, resumed, completed or cancelled.',
    labelNames: ['step'],
    registers,
  });
  const packets = new Counter({
    name: 'parley_rtp_packets_total',
    help: 'RTP packets of SIP legs that ended: received, lost on their way to us, or sent.',
    labelNames: ['state'],
    registers,
  });
  const jitter = new Histogram({
    name: 'parley_rtp_jitter_seconds',
    help: 'Interarrival jitter (RFC 3550) of SIP legs, observed when a leg ends.',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2],
    registers,
  });
  const setAside = new Counter({
    name: 'parley_set_aside_total',
    help: 'Rows that could not be dealt with, and were set aside so that others are not held up, by kind.',
    labelNames: ['what'],
    registers,
  });
  // A series that begins at its first event hides that event from rate() and increase().
  for (const outcome of ['succeeded', 'retry', 'failed']) attempts.inc({ outcome }, 0);
  for (const state of ['received', 'lost', 'sent']) packets.inc({ state }, 0);
  for (const step of ['scheduled', 'started', 'paused', 'resumed', 'completed', 'cancelled'])
    campaigns.inc({ step }, 0);
  for (const direction of ['inbound', 'outbound']) {
    for (const step of ['started', 'answered']) calls.inc({ direction, step }, 0);
    endedCalls.inc({ direction, result: 'answered' }, 0);
    endedCalls.inc({ direction, result: 'failed' }, 0);
  }

  function makeStepCounts(name: string, help: string, known: readonly string[]) {
    const counter = new Counter({ name, help, labelNames: ['status'], registers });
    // Finding a series by its labels costs more than counting.
    return new Map(
      known.map((status) => {
        counter.inc({ status: status.toLowerCase() }, 0);
        return [status, counter.labels({ status: status.toLowerCase() })];
      }),
    );
  }

  const observer: Observer = {
    steps(subject, steps, sinceMs) {
      // Counting one takes 250 ns, and batches are mostly of one status.
      for (let at = 0; at < steps.length; ) {
        const from = at;
        const { status } = steps[from]!;
        while (steps[at]?.status === status) at++;
        stepCounts[subject].get(status)?.inc(at - from);
      }
      if (traces) addAll(traces, spansOfSteps(traces, subject, steps, sinceMs));
    },
    handOver(subject, handedOver) {
      if (traces) addAll(traces, spansOfHandOver(subject, handedOver));
    },
    request:
      traces &&
      (({ uuid, name, startMs, attributes }) =>
        traces.add({ uuid, name, kind: 'client', startMs, endMs: exactMs(), attributes })),
    call(step, call) {
      const { direction, result } = call;
      const labels = { direction: direction.toLowerCase() };
      if (step !== 'ended') calls.inc({ ...labels, step });
      else endedCalls.inc({ ...labels, result: (result ?? 'failed').toLowerCase() });
      if (traces && step === 'ended') addAll(traces, spansOfCall(call));
    },
    speech({ received, lost, sent, jitterMs }) {
      packets.inc({ state: 'received' }, received);
      packets.inc({ state: 'lost' }, lost);
      packets.inc({ state: 'sent' }, sent);
      if (received > 0) jitter.observe(jitterMs / 1000);
    },
    attempt(attempt) {
      const { succeeded, nextAttempt, durationMs } = attempt;
      attempts.inc({ outcome: succeeded ? 'succeeded' : nextAttempt === null ? 'failed' : 'retry' });
      attemptDurations.observe(durationMs / 1000);
      if (traces) addAll(traces, spansOfAttempt(attempt));
    },
    job: (type, status) => jobs.inc({ type, status: status.toLowerCase() }),
    campaign: (step) => campaigns.inc({ step }),
    setAside: (what) => setAside.inc({ what }),
    branch: () => gather(observer),
  };
  return observer;
}

function addAll(traces: Traces, spans: readonly TraceSpan[]): void {
  for (const span of spans) traces.add(span);
}

/** An observer that keeps what it is told until the commit. */
function gather(observer: Observer): { observer: Observer; commit(): void } {
  const waiting: (() => void)[] = [];
  const later =
    <Args extends unknown[]>(tell: (...args: Args) => void) =>
    (...args: Args): void =>
      void waiting.push(() => tell(...args));
  const gathering: Observer = {
    steps: later(observer.steps),
    handOver: later(observer.handOver),
    request: observer.request,
    call: later(observer.call),
    speech: later(observer.speech),
    attempt: later(observer.attempt),
    job: later(observer.job),
    campaign: later(observer.campaign),
    setAside: later(observer.setAside),
    branch: () => gather(gathering),
  };
  return {
    observer: gathering,
    commit() {
      for (const tell of waiting) tell();
    },
  };
}
