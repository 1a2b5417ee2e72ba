// One bind, kept alive.
//
//   connecting ──▶ bound ──the session ends──▶ waiting ──▶ connecting …
//        └───────── refused, or no connection ────▲
//   stopped, from anywhere, is final
import type { BindMode } from '../session/connect.ts';
import type { Session, Timing } from '../session/session.ts';

export type BindState = 'connecting' | 'bound' | 'waiting' | 'stopped';

export interface KeptBind {
  readonly mode: BindMode;
  readonly state: BindState;
  readonly sinceMs: number;
  /** While it is bound. */
  readonly session: Session | undefined;
  stop(drainMs: number): Promise<void>;
}

export interface KeepBoundOptions {
  mode: BindMode;
  open(signal: AbortSignal): Promise<Session>;
  timing: Timing;
  /** In [0, 1). */
  random(): number;
  onError(error: Error): void;
  onChange(): void;
}

const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
/** A bind that lasted this long was a good one: the next trouble is a new one. */
const goodMs = 30_000;

export function keepBound({ mode, open, timing, random, onError, onChange }: KeepBoundOptions): KeptBind {
  const stopping = new AbortController();
  let state: BindState = 'connecting';
  let sinceMs = timing.nowMs();
  let session: Session | undefined;
  let failures = 0;

  function enter(next: BindState): void {
    state = next;
    sinceMs = timing.nowMs();
    onChange();
  }

  async function bindOnce(): Promise<void> {
    enter('connecting');
    try {
      const opened = await open(stopping.signal);
      if (stopping.signal.aborted) return opened.destroy('The link is stopping.');
      session = opened;
      enter('bound');
      const error = await opened.closed;
      if (timing.nowMs() - sinceMs >= goodMs) failures = 0;
      if (!stopping.signal.aborted) onError(error ?? new Error('The other side unbound.'));
    } catch (error) {
      if (!stopping.signal.aborted) onError(error as Error);
    }
    session = undefined;
  }

  /** Half of the wait is certain, half is chance: many links that fell together do not come back together. */
  function wait(): Promise<void> {
    enter('waiting');
    const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** failures++) * (0.5 + random() / 2);
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        stopping.signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = timing.after(waitMs, end);
      stopping.signal.addEventListener('abort', end);
    });
  }

  async function run(): Promise<void> {
    for (;;) {
      await bindOnce();
      if (stopping.signal.aborted) break;
      await wait();
      if (stopping.signal.aborted) break;
    }
    enter('stopped');
  }
  const finished = run();

  return {
    mode,
    get state() {
      return state;
    },
    get sinceMs() {
      return sinceMs;
    },
    get session() {
      return session;
    },
    async stop(drainMs) {
      stopping.abort();
      await session?.unbind(drainMs);
      await finished;
    },
  };
}
