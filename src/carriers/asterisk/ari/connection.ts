// The WebSocket over which Asterisk tells what happens, kept open.
//
//   connecting ──▶ open ──it breaks, or Asterisk is silent──▶ waiting ──▶ connecting …
//        └────────── refused, or nobody there ─────────────────▲
//   stopped, from anywhere, is final
import type { Socket } from 'node:net';
import { Agent, buildConnector, WebSocket } from 'undici';
import { pause } from '../../../platform/time/pause.ts';

export interface ConnectionTiming {
  firstWaitMs: number;
  longestWaitMs: number;
  /** How often Asterisk is asked whether it is still there. */
  checkMs: number;
}

export const usualTiming: ConnectionTiming = { firstWaitMs: 500, longestWaitMs: 30_000, checkMs: 10_000 };

export interface ConnectionOptions {
  /** With the credentials: never to be logged. */
  address: string;
  timing: ConnectionTiming;
  /** How long it may take until it is open. */
  connectMs?: number;
  /** Asks something that is answered as long as Asterisk has us connected; rejects with the reason. */
  check(): Promise<unknown>;
  /** Why a connection may have been refused. */
  explain(): Promise<string>;
  onOpen(): void;
  onText(text: string): void;
  /** After it was open. */
  onBroken(reason: string): void;
  /** Before it was open. */
  onRefused(reason: string): void;
}

export interface Connection {
  readonly state: 'UP' | 'DOWN' | 'STARTING';
  readonly since: Date;
  readonly lastError: string;
  readonly latencyMs: number | null;
  /** Gives it up for now; `isLong`: and does not hurry to come back. */
  drop(reason: string, isLong?: boolean): void;
  stop(): Promise<void>;
}

const usualConnectMs = 10_000;
/** One slow answer happens; two are a connection that nobody closed. */
const mostMissed = 2;
/** A connection that lasted this long was a good one: the next trouble is a new one. */
const goodMs = 30_000;

/** How long the other side may take to close, too. */
const goodbyeMs = 1_000;
/** An event is a few kilobytes. */
const mostEventBytes = 4 * 1024 * 1024;

/** A WebSocket whose connection can be ended without the other side. */
function openSocket(address: string, connectMs: number): { socket: WebSocket; destroy(): void } {
  const connect = buildConnector({ timeout: connectMs });
  let wire: Socket | undefined;
  const dispatcher = new Agent({
    webSocket: { maxPayloadSize: mostEventBytes },
    connect: (options, done) =>
      connect(options, (...result) => {
        wire = result[1] ?? undefined;
        done(...result);
      }),
  });
  const socket = new WebSocket(address, { dispatcher });
  return {
    socket,
    destroy() {
      wire?.destroy();
      void dispatcher.destroy().catch(() => {});
    },
  };
}

export function keepConnected(options: ConnectionOptions): Connection {
  const { address, timing, connectMs = usualConnectMs } = options;
  const { check, explain, onOpen, onText, onBroken, onRefused } = options;
  const stopping = new AbortController();
  let state: Connection['state'] = 'STARTING';
  let since = new Date();
  let lastError = '';
  let latencyMs: number | null = null;
  let failures = 0;
  let drop: (reason: string) => void = () => {};

  function enter(next: Connection['state']): void {
    if (state !== next) since = new Date();
    state = next;
  }

  /** Done when it is over; answers why, or undefined when it was never open. */
  async function connectOnce(): Promise<string | undefined> {
    const { promise: over, resolve } = Promise.withResolvers<string>();
    const { socket, destroy } = openSocket(address, connectMs);
    const ending = new AbortController();
    let isOpen = false;
    let isOver = false;
    drop = resolve;
    const late = setTimeout(() => resolve('No connection came about in time.'), connectMs);
    socket.addEventListener('open', () => {
      if (isOver) return;
      clearTimeout(late);
      isOpen = true;
      enter('UP');
      onOpen();
      void watch(ending.signal, resolve);
    });
    socket.addEventListener('message', ({ data }) => {
      if (!isOver && typeof data === 'string') onText(data);
    });
    // `close` follows, with no more to say.
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', () => resolve('The connection to Asterisk broke.'));
    stopping.signal.addEventListener('abort', () => resolve('Stopped.'), { signal: ending.signal });
    const reason = await over;
    isOver = true;
    clearTimeout(late);
    ending.abort();
    socket.close();
    // A peer that does not say goodbye is not waited for.
    if (stopping.signal.aborted) destroy();
    else setTimeout(destroy, goodbyeMs).unref();
    return isOpen ? reason : undefined;
  }

  /** A peer that vanished closes nothing. */
  async function watch(signal: AbortSignal, giveUp: (reason: string) => void): Promise<void> {
    for (let missed = 0; !signal.aborted; ) {
      const askedMs = performance.now();
      try {
        await check();
        latencyMs = Math.round((performance.now() - askedMs) * 10) / 10;
        missed = 0;
      } catch (error) {
        if (++missed === mostMissed) giveUp((error as Error).message);
      }
      await pause(timing.checkMs, signal);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const beganMs = performance.now();
      const reason = await connectOnce();
      if (stopping.signal.aborted) break;
      if (reason !== undefined && performance.now() - beganMs >= goodMs) failures = 0;
      latencyMs = null;
      lastError = reason ?? (await explain());
      enter('DOWN');
      if (reason === undefined) onRefused(lastError);
      else onBroken(lastError);
      // Half of the wait is chance: processes that fell together do not come back together.
      const waitMs = Math.min(timing.longestWaitMs, timing.firstWaitMs * 2 ** failures++);
      await pause(waitMs * (0.5 + Math.random() / 2), stopping.signal);
    }
    enter('DOWN');
  }
  const finished = run();

  return {
    get state() {
      return state;
    },
    get since() {
      return since;
    },
    get lastError() {
      return state === 'UP' ? '' : lastError;
    },
    get latencyMs() {
      return latencyMs;
    },
    drop(reason, isLong = false) {
      if (isLong) failures = 30;
      drop(reason);
    },
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}
