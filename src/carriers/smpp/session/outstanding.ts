import type { Command, Given, KnownPdu, RequestCommand, ResponseTo } from '../codec/index.ts';
import { encode, makePdu, responseCommand } from '../codec/index.ts';
import { BadAnswer, Closed, Nacked, TimedOut } from '../errors.ts';
import type { Timing } from './session.ts';
import type { Parcel } from './wire.ts';

export interface RequestOptions {
  timeoutMs?: number;
  /** Not held up by the window: for what keeps the session itself alive. */
  urgent?: boolean;
}

/** Requests of ours: those that wait for a place in the window, and those that wait for their answer. */
export interface Outstanding {
  request<C extends RequestCommand>(command: C, given: Given<C>, options?: RequestOptions): Promise<ResponseTo<C>>;
  /** Whether somebody waited for this answer. */
  answer(pdu: KnownPdu): boolean;
  /** The answer to that request came and cannot be read. */
  spoil(sequence: number, error: Error): boolean;
  /** Fails those that have not been sent; with `all`, those that were sent, too. */
  fail(reason: string, options: { all: boolean }): void;
  /** Sent, and not answered. */
  underWay(): number;
  waiting(): number;
}

interface Asked {
  command: RequestCommand;
  given: object;
  timeoutMs: number;
  urgent: boolean;
  resolve(pdu: never): void;
  reject(error: Error): void;
}
interface Sent {
  asked: Asked;
  parcel: Parcel;
  sentMs: number;
  dueMs: number;
}

export interface OutstandingOptions {
  window: number;
  timeoutMs: number;
  timing: Timing;
  send(octets: Buffer): Parcel;
  /** Called whenever something is no longer under way. */
  onSettled(): void;
  onLatency(latencyMs: number): void;
}

const lastSequence = 0x7fffffff;

export function makeOutstanding(options: OutstandingOptions): Outstanding {
  const { window, timing, send, onSettled, onLatency } = options;
  const sent = new Map<number, Sent>();
  let queue: Asked[] = [];
  let ordinary = 0;
  let sequence = 0;
  let cancelTimer: (() => void) | undefined;
  let timerMs = Number.POSITIVE_INFINITY;

  function nextSequence(): number {
    do sequence = sequence === lastSequence ? 1 : sequence + 1;
    while (sent.has(sequence));
    return sequence;
  }

  function dispatch(asked: Asked): void {
    const number = nextSequence();
    let parcel: Parcel;
    try {
      parcel = send(encode(makePdu<Command>(asked.command, { ...asked.given, sequence: number })));
    } catch (error) {
      asked.reject(error as Error);
      return;
    }
    const sentMs = timing.nowMs();
    const dueMs = sentMs + asked.timeoutMs;
    sent.set(number, { asked, parcel, sentMs, dueMs });
    if (!asked.urgent) ordinary++;
    if (dueMs < timerMs) watch(dueMs);
  }

  /** One timer for all: what it was set for is mostly answered when it rings, and it is set anew for what is due next. */
  function watch(dueMs: number): void {
    cancelTimer?.();
    timerMs = dueMs;
    cancelTimer = timing.after(Math.max(0, dueMs - timing.nowMs()), () => {
      timerMs = Number.POSITIVE_INFINITY;
      const nowMs = timing.nowMs();
      let nextMs = Number.POSITIVE_INFINITY;
      for (const [number, { asked, dueMs }] of sent) {
        if (dueMs <= nowMs) take(number)?.reject(new TimedOut(asked.command, asked.timeoutMs));
        else nextMs = Math.min(nextMs, dueMs);
      }
      if (nextMs < timerMs) watch(nextMs);
    });
  }

  /** Removes one from those under way, and lets the next of the queue go. */
  function take(number: number): Asked | undefined {
    const asked = sent.get(number)?.asked;
    if (!asked) return undefined;
    sent.delete(number);
    if (!asked.urgent) ordinary--;
    while (ordinary < window && queue.length > 0) dispatch(queue.shift()!);
    onSettled();
    return asked;
  }

  return {
    request: (command, given, { timeoutMs = options.timeoutMs, urgent = false } = {}) =>
      new Promise((resolve, reject) => {
        const asked: Asked = { command, given, timeoutMs, urgent, resolve, reject };
        if (urgent || ordinary < window) dispatch(asked);
        else queue.push(asked);
      }),
    answer(pdu) {
      const found = sent.get(pdu.sequence);
      if (!found) return false;
      const { asked, sentMs } = found;
      if (pdu.command !== 'generic_nack' && pdu.command !== responseCommand(asked.command)) return false;
      take(pdu.sequence);
      if (!asked.urgent) onLatency(timing.nowMs() - sentMs);
      if (pdu.command === 'generic_nack') asked.reject(new Nacked(asked.command, pdu.status));
      else asked.resolve(pdu as never);
      return true;
    },
    spoil(number, error) {
      const found = take(number);
      found?.reject(new BadAnswer(error.message));
      return found !== undefined;
    },
    fail(reason, { all }) {
      const neverSent = queue;
      queue = [];
      for (const { reject } of neverSent) reject(new Closed(false, reason));
      if (!all) return;
      cancelTimer?.();
      for (const [number, { parcel }] of sent) take(number)?.reject(new Closed(parcel.sent, reason));
    },
    underWay: () => sent.size,
    waiting: () => queue.length,
  };
}
