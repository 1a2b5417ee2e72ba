// One connection, from either side.
//
//   open ──bind answered well──▶ bound ──unbind, by either side──▶ unbinding ──▶ closed
//     └──────────────┴── the connection breaks, a length makes no sense, ──────────▲
//                        or an enquire_link stays without an answer
//
// open       connected, not bound: only binds pass
// bound      requests pass both ways
// unbinding  nothing new passes; what is under way gets a time to end
// closed     final; all that was under way has failed, each saying whether it had left
import type { Socket } from 'node:net';
import { steadyMs } from '../../../platform/time/clock.ts';
import {
  encode,
  type Given,
  isResponse,
  type KnownPdu,
  type MalformedPdu,
  makePdu,
  type Pdu,
  type RequestCommand,
  type RequestPdu,
  type ResponseTo,
  responseCommand,
  Status,
} from '../codec/index.ts';
import { Closed } from '../errors.ts';
import { makeOutstanding, type RequestOptions } from './outstanding.ts';
import { type Answer, type Handler, makeServing } from './serving.ts';
import { makeWire } from './wire.ts';

export type SessionState = 'open' | 'bound' | 'unbinding' | 'closed';

export interface SessionOptions {
  /** Requests of ours without an answer at a time. */
  window?: number;
  /** Requests of theirs in hand at a time. */
  hands?: number;
  responseTimeoutMs?: number;
  /** After this long without a word from the other side it is asked whether it is there. */
  enquireLinkMs?: number;
  timing?: Timing;
  /** What is handed to `handle` once the session is bound; a bind always is, all else is refused. */
  handles: readonly RequestCommand[];
  handle: Handler;
  /** The answer to the bind has come or is on its way. */
  onBound?(): void;
  /** How long the answer to a request of ours took. */
  onLatency?(latencyMs: number): void;
}

export interface Session {
  readonly state: SessionState;
  /** Responses to no outstanding request: duplicate, late, or with an unknown sequence number. */
  readonly strayAnswers: number;
  /** PDUs that could not be read. */
  readonly malformed: number;
  /** Waits for a place in the window. Any status is an answer; throws `Closed`, `TimedOut`, `BadAnswer`, `Nacked`, `FieldError`. */
  request<C extends RequestCommand>(command: C, given: Given<C>, options?: RequestOptions): Promise<ResponseTo<C>>;
  /** Requests under way, and those that wait for a place in the window. */
  load(): { underWay: number; waiting: number };
  /** Takes leave: nothing new, then up to `drainMs` for what is under way, then unbind and close. */
  unbind(drainMs?: number): Promise<void>;
  /** Breaks off. */
  destroy(reason: string): void;
  /** Why it ended; undefined after an unbind. */
  readonly closed: Promise<Error | undefined>;
  /** Writes octets without any check: a simulated broken peer uses this. */
  sendRaw(octets: Buffer): void;
}

const unbindTimeoutMs = 5_000;

export function makeSession(socket: Socket, options: SessionOptions): Session {
  const { window = 10, hands = 10, responseTimeoutMs = 30_000, enquireLinkMs = 30_000 } = options;
  const { timing = systemTiming, handles, handle, onLatency = () => {} } = options;
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<Error | undefined>();
  let state: SessionState = 'open';
  let strayAnswers = 0;
  let malformed = 0;
  let heardMs = timing.nowMs();
  let failure: Error | undefined;
  let cancelEnquiry: (() => void) | undefined;
  let onIdle: (() => void) | undefined;

  const wire = makeWire(socket, { onPdu: hear, onMalformed, onClosed });
  const settled = () => {
    if (onIdle && outstanding.underWay() === 0 && serving.inHand() === 0) onIdle();
  };
  const outstanding = makeOutstanding({
    window,
    timeoutMs: responseTimeoutMs,
    timing,
    send: wire.send,
    onSettled: settled,
    onLatency,
  });
  const serving = makeServing({ hands, handle, reply, onSettled: settled });
  enquireWhenQuiet(enquireLinkMs);

  function hear(pdu: Pdu): void {
    heardMs = timing.nowMs();
    if (isResponse(pdu)) {
      if (pdu.command === 'unknown' || !outstanding.answer(pdu)) strayAnswers++;
      else bindIfAgreed(pdu.command, pdu.status);
    } else if (pdu.command === 'unknown') {
      wire.send(encode(makePdu('generic_nack', { sequence: pdu.sequence, status: Status.RINVCMDID })));
    } else if (pdu.command !== 'outbind') {
      serve(pdu as RequestPdu);
    }
  }

  /** At once and not when the caller hears of it: messages may follow the answer in the same piece of the stream. */
  function bindIfAgreed(response: KnownPdu['command'], status: number): void {
    if (status !== 0 || state !== 'open' || !response.startsWith('bind_')) return;
    state = 'bound';
    options.onBound?.();
  }

  function serve(pdu: RequestPdu): void {
    const isBind = pdu.command.startsWith('bind_');
    if (pdu.command === 'enquire_link') reply(pdu, {});
    else if (pdu.command === 'unbind') void leaveWhenAsked(pdu);
    else if (state === (isBind ? 'open' : 'bound') && handles.includes(pdu.command)) serving.take(pdu);
    // What comes while we are leaving is welcome next time.
    else if (state === 'unbinding') reply(pdu, { status: Status.RX_T_APPN });
    else reply(pdu, { status: isBind ? Status.RALYBND : Status.RINVBNDSTS });
  }

  function reply({ command, sequence }: RequestPdu, answer: Answer): void {
    if (state === 'closed') return;
    const response = responseCommand(command)!;
    wire.send(encode(makePdu(response, { ...answer, sequence })));
    bindIfAgreed(response, answer.status ?? 0);
  }

  function onMalformed(error: MalformedPdu): void {
    heardMs = timing.nowMs();
    malformed++;
    if (error.commandId >= 0x80000000) outstanding.spoil(error.sequence, error);
    else wire.send(encode(makePdu('generic_nack', { sequence: error.sequence, status: Status.RINVCMDLEN })));
  }

  function onClosed(reason: Error | undefined): void {
    const left = state === 'unbinding';
    state = 'closed';
    cancelEnquiry?.();
    failure ??= reason ?? (left ? undefined : new Error('The other side closed the connection.'));
    outstanding.fail(failure?.message ?? 'The session ended.', { all: true });
    onIdle?.();
    resolveClosed(failure);
  }

  function enquireWhenQuiet(inMs: number): void {
    cancelEnquiry = timing.after(inMs, () => {
      const quietMs = timing.nowMs() - heardMs;
      if (state !== 'bound') enquireWhenQuiet(enquireLinkMs);
      else if (quietMs < enquireLinkMs) enquireWhenQuiet(enquireLinkMs - quietMs);
      else outstanding.request('enquire_link', {}, { urgent: true }).then(() => enquireWhenQuiet(enquireLinkMs), lost);
    });
  }
  const lost = (error: Error): void => destroy(`The other side is silent: ${error.message}`);

  function destroy(reason: string): void {
    failure ??= new Error(reason);
    wire.destroy();
  }

  /** Waits until nothing is under way either way, or the time is up. */
  function drain(drainMs: number): Promise<void> {
    state = 'unbinding';
    outstanding.fail('The session is ending.', { all: false });
    return new Promise((resolve) => {
      const cancel = timing.after(drainMs, resolve);
      onIdle = () => {
        cancel();
        resolve();
      };
      settled();
    });
  }

  async function leaveWhenAsked(pdu: RequestPdu): Promise<void> {
    // What is under way either way gets a moment, unless we were leaving ourselves.
    if (state === 'bound') await drain(unbindTimeoutMs);
    reply(pdu, {});
    wire.end();
  }

  async function unbind(drainMs = 10_000): Promise<void> {
    if (state === 'bound') {
      await drain(drainMs);
      // Without an answer we are leaving all the same.
      const leave = { timeoutMs: unbindTimeoutMs, urgent: true };
      await outstanding.request('unbind', {}, leave).catch(() => {});
    } else if (state === 'open') state = 'unbinding';
    wire.end();
    await closed;
  }

  return {
    get state() {
      return state;
    },
    get strayAnswers() {
      return strayAnswers;
    },
    get malformed() {
      return malformed;
    },
    request(command, given, options) {
      const isBind = command.startsWith('bind_');
      if (state === (isBind ? 'open' : 'bound')) return outstanding.request(command, given, options);
      return Promise.reject(new Closed(false, `The session is ${state}.`));
    },
    load: () => ({ underWay: outstanding.underWay(), waiting: outstanding.waiting() }),
    unbind,
    destroy,
    closed,
    sendRaw: (octets) => void wire.send(octets),
  };
}

/** Where sessions and links get the time from, so that tests can move it. */
export interface Timing {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Runs later, unless what it returns was called before. */
  after(ms: number, run: () => void): () => void;
}

export const systemTiming: Timing = {
  nowMs: steadyMs,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
