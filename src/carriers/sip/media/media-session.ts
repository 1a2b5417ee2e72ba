import type { MediaWorker } from './media-worker.ts';
import type { Command, FromWorker, MediaStats, Remote } from './protocol.ts';

export type { MediaStats, Remote };

/**
 * A person's speech: a port of ours, and what comes and goes there. Whatever is asked of one that is over does nothing. Promises
 * are settled when the thread has done it; nobody needs to wait, the order is kept.
 */
export interface MediaSession {
  /** For our SDP; the address is the one that was bound, which may be 0.0.0.0. */
  readonly local: { address: string; port: number };
  /** Where the peer is by its SDP. Again for another SDP: the streams go on. Until the first time nothing is sent or taken. */
  setRemote(remote: Remote): Promise<void>;
  /** The peer has put us on hold: nothing is sent, what comes still goes on, and silence is no event. */
  hold(held: boolean): Promise<void>;
  /**
   * Plays a file of 8 kHz µ-law; done when it was heard, stopped, displaced by something else to be heard, or the session is
   * over. Rejects only when the file cannot be read. Goes before what a bridged peer says.
   */
  play(path: string, options?: { signal?: AbortSignal }): Promise<void>;
  /** The ringing tone, until the returned function is called. */
  ringing(): () => void;
  /** Presses keys: telephone events, or tones where the peer knows none. */
  sendDigits(digits: string): Promise<void>;
  /** Keys that the person presses. Returns how to listen no longer. */
  onDigit(listener: (digit: string) => void): () => void;
  /** Nothing was heard for so long, and we are not on hold; told again after every silence. One span at a time. */
  onSilent(ms: number, listener: () => void): () => void;
  /** It is over without `close`: its thread died. */
  onLost(listener: (error: Error) => void): () => void;
  /** undefined: it is over. */
  stats(): Promise<MediaStats | undefined>;
  close(): Promise<void>;
}

/** A session as `media.ts` knows it: with its thread, and what is told to it. */
export interface SessionHandle {
  readonly session: MediaSession;
  readonly id: number;
  readonly worker: MediaWorker;
  take(event: Extract<FromWorker, { event: string }>): void;
  lose(error: Error): void;
}

interface SessionOptions {
  id: number;
  worker: MediaWorker;
  local: { address: string; port: number };
  /** The port is free again. */
  onOver(): void;
  /** How it went, when it was closed. */
  onStats(stats: MediaStats): void;
}

export function makeSession({ id, worker, local, onOver, onStats }: SessionOptions): SessionHandle {
  const digitListeners = new Set<(digit: string) => void>();
  const silentListeners = new Set<() => void>();
  const lostListeners = new Set<(error: Error) => void>();
  let over = false;
  let isHeld = false;

  /** Of commands whose answer tells nothing. A session can only refuse because it is over. */
  function tell(command: Command): Promise<void> {
    if (over) return Promise.resolve();
    return worker.ask(command).then(
      () => {},
      () => {},
    );
  }

  function end(): void {
    if (over) return;
    over = true;
    onOver();
  }

  const session: MediaSession = {
    local,
    setRemote: (remote) => tell({ do: 'setRemote', session: id, remote }),
    hold(held) {
      if (held === isHeld) return Promise.resolve();
      isHeld = held;
      return tell({ do: 'hold', session: id, held });
    },
    async play(path, { signal } = {}) {
      if (over || signal?.aborted) return;
      const { done, stop } = worker.begin({ do: 'play', session: id, path });
      signal?.addEventListener('abort', stop, { once: true });
      try {
        await done;
      } catch (error) {
        if (!over && (error as NodeJS.ErrnoException).code !== undefined) throw error;
      } finally {
        signal?.removeEventListener('abort', stop);
      }
    },
    ringing() {
      if (over) return () => {};
      const { done, stop } = worker.begin({ do: 'ring', session: id });
      done.catch(() => {});
      return stop;
    },
    sendDigits: (digits) => tell({ do: 'key', session: id, digits }),
    onDigit: (listener) => listen(digitListeners, listener),
    onSilent(ms, listener) {
      void tell({ do: 'watch', session: id, silentMs: ms });
      return listen(silentListeners, listener);
    },
    onLost: (listener) => listen(lostListeners, listener),
    stats: () => (over ? Promise.resolve(undefined) : worker.ask({ do: 'stats', session: id }).catch(() => undefined)),
    async close() {
      if (over) return;
      // Its port is another's only when the socket is closed.
      const stats = await worker.ask({ do: 'close', session: id }).catch(() => undefined);
      end();
      if (stats) onStats(stats);
    },
  };

  return {
    session,
    id,
    worker,
    take(event) {
      if (event.event === 'digit') for (const listener of digitListeners) listener(event.digit);
      else for (const listener of silentListeners) listener();
    },
    lose(error) {
      if (over) return;
      end();
      for (const listener of lostListeners) listener(error);
    },
  };
}

function listen<L>(listeners: Set<L>, listener: L): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
